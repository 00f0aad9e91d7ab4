import type { PictureSize, Point } from "../points.ts";
import { affineBetween, inverted, mapped, solved, type PlaneMap } from "../plane-map.ts";
import { evenContrast, halved, type SmallPicture } from "./small-picture.ts";

/** A film in one frame of a session: its reduced picture, its size, and landmarks on it [px of that size]. */
export type FilmView = {
  readonly picture: SmallPicture;
  readonly size: PictureSize;
  readonly points: readonly Point[];
};

/** Minimum normalised cross-correlation of two pictures of one film, 0–1. */
const minSimilarity = 0.85;
/** Minimum fraction of the smaller picture that both pictures must show. */
const minOverlap = 0.5;
const maxSteps = 20;
/** Convergence threshold in unit coordinates, about a hundredth of a pixel. */
const smallestStep = 2e-4;

/**
 * Maps positions between two pictures of a film. Starting from the landmarks or the pictures' borders, finds the
 * perspective under which both pictures correlate best.
 *
 * @returns  from pixels of `from` to pixels of `to`; null if the pictures do not show the same film
 * @see Evangelidis & Psarakis 2008, Parametric image alignment using enhanced correlation coefficient maximization
 */
export function registerFilms(from: FilmView, to: FilmView): ((point: Point) => Point) | null {
  const best = likestMap(from, to);
  if (best.likeness < minSimilarity) return null;
  const back = inverted(best.map);
  return back && mapBetween(from.size, to.size, back);
}

/** A separate function, so that the closure kept for the whole session does not retain the pictures. */
function mapBetween(from: PictureSize, to: PictureSize, map: PlaneMap): (point: Point) => Point {
  return (point) => fromUnit(mapped(map, toUnit(point, from)), to);
}

/** Best alignment of two views and its correlation. `map` goes from `to` to `from`, in unit coordinates. */
function likestMap(from: FilmView, to: FilmView): { readonly map: PlaneMap; readonly likeness: number } {
  const [sources, targets] = [sizesOf(from.picture), sizesOf(to.picture)];
  const [coarseSource, coarseTarget] = [evenContrast(sources[0]), evenContrast(targets[0])];
  const starts = seeds(from, to).map((seed) => aligned(coarseSource, coarseTarget, seed, 6));
  const likeness = starts.map((start) => likenessUnder(coarseSource, coarseTarget, start));
  const start = starts[likeness.indexOf(Math.max(...likeness))] as PlaneMap;
  const middle = aligned(evenContrast(sources[1]), evenContrast(targets[1]), start, 6);
  // Scales the window so that it covers the same part of the film in both pictures.
  const [source, target] = [evenContrast(sources[2], scaleOf(middle)), evenContrast(targets[2])];
  const map = aligned(source, target, middle, 8);
  return { map, likeness: likenessUnder(source, target, map) };
}

/** Coarsest first. */
function sizesOf(picture: SmallPicture): readonly [SmallPicture, SmallPicture, SmallPicture] {
  const half = halved(picture);
  return [halved(half), half, picture];
}

function scaleOf([a, b, , d, e]: PlaneMap): number {
  return Math.sqrt(Math.abs(a * e - b * d));
}

const sameCrop: PlaneMap = [1, 0, 0, 0, 1, 0, 0, 0];

function seeds(from: FilmView, to: FilmView): readonly PlaneMap[] {
  const byPoints = affineBetween(
    to.points.map((point) => toUnit(point, to.size)),
    from.points.map((point) => toUnit(point, from.size)),
  );
  return byPoints ? [byPoints, sameCrop] : [sameCrop];
}

/** Converts to unit coordinates: -1 to 1 along each side. */
function toUnit({ x, y }: Point, { widthPx, heightPx }: PictureSize): Point {
  return { x: (2 * x + 1) / widthPx - 1, y: (2 * y + 1) / heightPx - 1 };
}

function fromUnit({ x, y }: Point, { widthPx, heightPx }: PictureSize): Point {
  return { x: ((x + 1) * widthPx - 1) / 2, y: ((y + 1) * heightPx - 1) / 2 };
}

/** Pixels of `target` that `source` also shows: grey levels of both, means subtracted. */
type Overlap = {
  readonly count: number;
  readonly places: Float64Array;
  readonly at: Float64Array;
  readonly sourceLevels: Float64Array;
  readonly targetLevels: Float64Array;
};

function overlapUnder(source: SmallPicture, target: SmallPicture, map: PlaneMap): Overlap {
  const size = target.widthPx * target.heightPx;
  const [places, at] = [new Float64Array(2 * size), new Float64Array(2 * size)];
  const [sourceLevels, targetLevels] = [new Float64Array(size), new Float64Array(size)];
  let count = 0;
  for (let row = 0; row < target.heightPx; row += 1) {
    for (let column = 0; column < target.widthPx; column += 1) {
      const place = toUnit({ x: column, y: row }, target);
      const { x, y } = fromUnit(mapped(map, place), source);
      if (!(x >= 1 && y >= 1 && x <= source.widthPx - 2 && y <= source.heightPx - 2)) continue;
      places[2 * count] = place.x;
      places[2 * count + 1] = place.y;
      at[2 * count] = x;
      at[2 * count + 1] = y;
      sourceLevels[count] = levelAt(source, x, y);
      targetLevels[count] = target.levels[row * target.widthPx + column] ?? 0;
      count += 1;
    }
  }
  centre(sourceLevels, count);
  centre(targetLevels, count);
  return { count, places, at, sourceLevels, targetLevels };
}

function centre(values: Float64Array, count: number): void {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += values[index] ?? 0;
  for (let index = 0; index < count; index += 1) values[index] = (values[index] ?? 0) - sum / count;
}

function levelAt({ levels, widthPx }: SmallPicture, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - left, y - top];
  const at = top * widthPx + left;
  const upper = (levels[at] ?? 0) * (1 - u) + (levels[at + 1] ?? 0) * u;
  const lower = (levels[at + widthPx] ?? 0) * (1 - u) + (levels[at + widthPx + 1] ?? 0) * u;
  return upper * (1 - v) + lower * v;
}

/** Normalised cross-correlation of the overlap; 0 if the overlap is too small. */
function likenessUnder(source: SmallPicture, target: SmallPicture, map: PlaneMap): number {
  const { count, sourceLevels, targetLevels } = overlapUnder(source, target, map);
  const [a, b] = [source, target].map(({ widthPx, heightPx }) => widthPx * heightPx) as [number, number];
  if (count < minOverlap * Math.min(a, b)) return 0;
  const norm = Math.sqrt(dot(sourceLevels, sourceLevels, count) * dot(targetLevels, targetLevels, count));
  return norm > 0 ? dot(sourceLevels, targetLevels, count) / norm : 0;
}

function dot(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** Optimises a map until both pictures correlate best; `freedom`: 6 for affine maps, 8 for perspectives. */
function aligned(source: SmallPicture, target: SmallPicture, start: PlaneMap, freedom: 6 | 8): PlaneMap {
  let map = start;
  for (let step = 0; step < maxSteps; step += 1) {
    const change = correlationStep(source, target, map, freedom);
    if (!change) break;
    map = map.map((value, index) => value + (change[index] ?? 0)) as unknown as PlaneMap;
    if (change.every((value) => Math.abs(value) < smallestStep)) break;
  }
  return map;
}

/** One step of the forward additive scheme; null at convergence. */
function correlationStep(
  source: SmallPicture,
  target: SmallPicture,
  map: PlaneMap,
  freedom: 6 | 8,
): Float64Array | null {
  const overlap = overlapUnder(source, target, map);
  const { count, sourceLevels, targetLevels } = overlap;
  if (count < 16 * freedom) return null;
  const slopes = slopesOf(source, overlap, map, freedom);
  const hessian = new Float64Array(freedom * freedom);
  const [onSource, onTarget] = [new Float64Array(freedom), new Float64Array(freedom)];
  slopes.forEach((one, i) => {
    onSource[i] = dot(one, sourceLevels, count);
    onTarget[i] = dot(one, targetLevels, count);
    slopes.forEach((other, j) => {
      if (j >= i) hessian[i * freedom + j] = hessian[j * freedom + i] = dot(one, other, count);
    });
  });
  const [sourceFit, targetFit] = [solved(hessian, onSource), solved(hessian, onTarget)];
  if (!sourceFit || !targetFit) return null;
  const numerator = dot(sourceLevels, sourceLevels, count) - dot(onSource, sourceFit, freedom);
  const denominator = dot(targetLevels, sourceLevels, count) - dot(onTarget, sourceFit, freedom);
  if (!(denominator > 0)) return null;
  return targetFit.map((value, index) => (numerator / denominator) * value - (sourceFit[index] ?? 0));
}

/** Derivatives of the source's grey levels with respect to each parameter of the map, means subtracted. */
function slopesOf(source: SmallPicture, overlap: Overlap, map: PlaneMap, freedom: 6 | 8): readonly Float64Array[] {
  const { count, places, at } = overlap;
  const [halfWidth, halfHeight] = [source.widthPx / 2, source.heightPx / 2];
  const slopes = Array.from({ length: freedom }, () => new Float64Array(count));
  const [, , , , , , g, h] = map;
  for (let index = 0; index < count; index += 1) {
    const [x, y] = [places[2 * index] ?? 0, places[2 * index + 1] ?? 0];
    const [u, v] = [at[2 * index] ?? 0, at[2 * index + 1] ?? 0];
    const across = ((levelAt(source, u + 0.5, v) - levelAt(source, u - 0.5, v)) * halfWidth) / (g * x + h * y + 1);
    const down = ((levelAt(source, u, v + 0.5) - levelAt(source, u, v - 0.5)) * halfHeight) / (g * x + h * y + 1);
    const reached = toUnit({ x: u, y: v }, source);
    const perspective = -(across * reached.x + down * reached.y);
    const values = [across * x, across * y, across, down * x, down * y, down, perspective * x, perspective * y];
    for (let number = 0; number < freedom; number += 1) (slopes[number] as Float64Array)[index] = values[number] ?? 0;
  }
  for (const slope of slopes) centre(slope, count);
  return slopes;
}
