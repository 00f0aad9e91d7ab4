import { type Corners, distancePx, interpolate, type Point } from "../../../core/cardiac/points.ts";
import type { GreyPixels } from "../../imaging/decode-image.ts";

/** Number of profiles across each side of the film. */
const samples = 48;
/** Cap on a step [grey levels], so that a complete faint border outweighs a short strong edge. */
const stepCap = 12;
const polishReachPx = 3;

/** A line by its offsets from the side's two ends, towards the inside [px]. */
export type Offsets = readonly [first: number, last: number];
export type Side = { readonly start: Point; readonly end: Point; readonly inward: Point };
/**
 * `steps[sample][offset + reachPx]`: size of the grey-level step across the side there; `levels[sample][offset +
 * reachPx + 2]`: grey level.
 */
export type Profiles = {
  readonly levels: readonly Float32Array[];
  readonly steps: readonly Float32Array[];
  readonly along: readonly number[];
  readonly reachPx: number;
};

export function sidesOf(corners: Corners): readonly Side[] {
  return corners.map((start, index) => sideOf(start, corners[(index + 1) % 4] ?? start));
}

function sideOf(start: Point, end: Point): Side {
  const length = Math.max(1e-6, distancePx(start, end));
  return { start, end, inward: { x: -(end.y - start.y) / length, y: (end.x - start.x) / length } };
}

export function lineAt({ start, end, inward }: Side, [first, last]: Offsets): readonly [Point, Point] {
  return [shifted(start, inward, first), shifted(end, inward, last)];
}

function shifted(point: Point, direction: Point, distance: number): Point {
  return { x: point.x + direction.x * distance, y: point.y + direction.y * distance };
}

export function profilesAcross(picture: GreyPixels, side: Side, reachPx: number): Profiles {
  const along = Array.from({ length: samples }, (_, index) => 0.05 + (0.9 * index) / (samples - 1));
  const levels = along.map((share) => {
    const at = interpolate(side.start, side.end, share);
    const levelAt = (offset: number): number =>
      level(picture, at.x + side.inward.x * offset, at.y + side.inward.y * offset);
    return Float32Array.from({ length: 2 * reachPx + 5 }, (_, index) => levelAt(index - reachPx - 2));
  });
  const steps = levels.map((row) => {
    const read = (index: number): number => row[index] ?? 0;
    return Float32Array.from(
      { length: 2 * reachPx + 1 },
      (_, index) => Math.abs(read(index + 3) + read(index + 4) - read(index) - read(index + 1)) / 2,
    );
  });
  return { levels, steps, along, reachPx };
}

/** Bilinear grey level; beyond the picture its border is repeated. */
function level({ grey, widthPx, heightPx }: GreyPixels, x: number, y: number): number {
  const u = Math.min(widthPx - 1, Math.max(0, x));
  const v = Math.min(heightPx - 1, Math.max(0, y));
  const [left, top] = [Math.floor(u), Math.floor(v)];
  const [right, bottom] = [Math.min(widthPx - 1, left + 1), Math.min(heightPx - 1, top + 1)];
  const read = (column: number, row: number): number => grey[row * widthPx + column] ?? 0;
  const upper = read(left, top) * (1 - u + left) + read(right, top) * (u - left);
  const lower = read(left, bottom) * (1 - u + left) + read(right, bottom) * (u - left);
  return upper * (1 - v + top) + lower * (v - top);
}

export function scoreOf({ steps, along, reachPx }: Profiles, [first, last]: Offsets): number {
  let sum = 0;
  for (let index = 0; index < samples; index += 1) {
    const offset = Math.round(first + (last - first) * (along[index] ?? 0)) + reachPx;
    sum += Math.min(stepCap, steps[index]?.[offset] ?? 0);
  }
  return sum / samples;
}

/** Fits a line to the centres of nearby steps by least squares, twice: the second time without outliers. */
export function polished(profiles: Profiles, line: Offsets): Offsets {
  const centres = profiles.along.map((share, index) =>
    stepCentre(profiles, index, line[0] + (line[1] - line[0]) * share),
  );
  let kept = centres
    .map((centre, index) => ({ ...centre, share: profiles.along[index] ?? 0 }))
    .filter(({ weight }) => weight > 0);
  let fitted = line;
  for (let round = 0; round < 2; round += 1) {
    if (kept.length < 8) return line;
    fitted = weightedLine(kept);
    const [first, last] = fitted;
    kept = kept.filter(({ share, offset }) => Math.abs(offset - first - (last - first) * share) < 2);
  }
  return fitted;
}

/** Centre of mass of the steps within polishReachPx of an offset, its weight limited. */
function stepCentre({ steps, reachPx }: Profiles, sample: number, offset: number): { offset: number; weight: number } {
  const row = steps[sample] ?? new Float32Array();
  const middle = Math.round(offset) + reachPx;
  let [weight, moment] = [0, 0];
  for (
    let index = Math.max(0, middle - polishReachPx);
    index <= Math.min(row.length - 1, middle + polishReachPx);
    index += 1
  ) {
    const step = Math.max(0, (row[index] ?? 0) - 1);
    [weight, moment] = [weight + step, moment + step * (index - reachPx)];
  }
  return weight > 0 ? { offset: moment / weight, weight: Math.min(weight, 40) } : { offset: 0, weight: 0 };
}

function weightedLine(points: readonly { share: number; offset: number; weight: number }[]): Offsets {
  const sumOf = (term: (point: { share: number; offset: number }) => number): number =>
    points.reduce((sum, point) => sum + point.weight * term(point), 0);
  const total = sumOf(() => 1);
  const [share, offset] = [sumOf((point) => point.share) / total, sumOf((point) => point.offset) / total];
  const spread = sumOf((point) => (point.share - share) ** 2);
  const slope = spread > 0 ? sumOf((point) => (point.share - share) * (point.offset - offset)) / spread : 0;
  return [offset - slope * share, offset + slope * (1 - share)];
}

/** Corners at the intersections of four lines, given as two points each: top, right, bottom, left. */
export function cornersOf(lines: readonly (readonly [Point, Point])[]): Corners | null {
  const [tl, tr, br, bl] = lines.map((line, index) => crossing(lines[(index + 3) % 4] ?? line, line));
  return tl && tr && br && bl ? [tl, tr, br, bl] : null;
}

/** Intersection of two lines; null if they are parallel. */
function crossing([p, q]: readonly [Point, Point], [r, s]: readonly [Point, Point]): Point | null {
  const [along, other] = [
    { x: q.x - p.x, y: q.y - p.y },
    { x: s.x - r.x, y: s.y - r.y },
  ];
  const determinant = along.x * other.y - along.y * other.x;
  if (Math.abs(determinant) < 1e-6 * Math.hypot(along.x, along.y) * Math.hypot(other.x, other.y)) return null;
  const t = ((r.x - p.x) * other.y - (r.y - p.y) * other.x) / determinant;
  return { x: p.x + along.x * t, y: p.y + along.y * t };
}
