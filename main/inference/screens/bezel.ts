import { inverted, mapped } from "../../../core/cardiac/plane-map.ts";
import type { Corners, Point } from "../../../core/cardiac/points.ts";
import type { GreyPixels } from "../../imaging/decode-image.ts";
import { trueAspect, unitSquareTo } from "../../imaging/homography.ts";
import {
  cornersOf,
  lineAt,
  type Offsets,
  polished,
  type Profiles,
  profilesAcross,
  scoreOf,
  sidesOf,
} from "./side-lines.ts";

/** Maximum distance of a bezel's edges from a side, and their slant, as fractions of the picture's diagonal. */
const search = { reach: 0.075, slant: 0.04 } as const;
/**
 * Step of the search, minimum mean capped step of a visible edge, number of edges compared on each side, their minimum
 * distance, and how far outwards a side may move: a strip further out is part of the viewer.
 */
const edge = { stepPx: 3, minScore: 4, count: 5, apartPx: 5, outwardsPx: 8 } as const;
/** Width of a bezel as a fraction of the film's shorter edge. */
const width = { least: 0.02, most: 0.12 } as const;
/** Maximum relative difference of widths between the ends of a side and between sides, and difference of levels. */
const difference = { ofEnds: 0.3, ofSides: 0.15, ofLevels: 40 } as const;
/** Minimum number of sides with a bezel: a film that fills a monitor may touch its frame on one side. */
const minSides = 3;
/**
 * Maximum grey level of a bezel, maximum difference across it and between neighbouring samples along it, and the
 * fraction of a side where they hold. Along a side a lamp or a shadow may change the level more, but gradually.
 */
const dark = { level: 110, across: 12, along: 6, share: 0.8 } as const;
/**
 * Minimum difference between a bezel and the darkest area of the film [grey levels], since collimation has the film's
 * own black. Compares means of `sidePx` x `sidePx` pixels at `grid` x `grid` points in the middle of the film, of
 * which a fraction `share` may be darker.
 */
const black = { minGap: 4, sidePx: 5, grid: 71, from: 0.15, to: 0.85, share: 0.002 } as const;

/** A dark strip of even width along a side, between two visible edges. `width`: fraction of the shorter edge. */
type Strip = {
  readonly side: number;
  readonly inner: Offsets;
  readonly width: number;
  readonly level: number;
  readonly score: number;
};

/**
 * Moves sides from the outer edge of a dark bezel to the film inside. Unlike collimation, a bezel is equally wide on
 * all sides, which also keeps the sides parallel.
 */
export function insideBezel(picture: GreyPixels, corners: Corners): Corners {
  const least = blackOf(picture, corners) + black.minGap;
  const bezel = equallyWide(darkStrips(picture, corners).filter(({ level }) => level >= least));
  if (bezel.length < minSides) return corners;
  const lines = sidesOf(corners).map((side, index) =>
    lineAt(side, bezel.find((strip) => strip.side === index)?.inner ?? [0, 0]),
  );
  return cornersOf(lines) ?? corners;
}

/** The most visible strips with the same width and level, at most one for each side. */
function equallyWide(strips: readonly Strip[]): readonly Strip[] {
  const total = (some: readonly Strip[]): number => some.reduce((sum, { score }) => sum + score, 0);
  return strips
    .map((one) => {
      const same = strips.filter(
        ({ width: other, level }) =>
          Math.abs(other - one.width) <= difference.ofSides * one.width &&
          Math.abs(level - one.level) <= difference.ofLevels,
      );
      return [0, 1, 2, 3].flatMap((side) =>
        same
          .filter((strip) => strip.side === side)
          .sort((a, b) => b.score - a.score)
          .slice(0, 1),
      );
    })
    .reduce((best, some) => (total(some) > total(best) ? some : best), []);
}

function darkStrips(picture: GreyPixels, corners: Corners): readonly Strip[] {
  const diagonalPx = Math.hypot(picture.widthPx, picture.heightPx);
  const depthOf = depthIn(picture, corners);
  return sidesOf(corners).flatMap((side, index) => {
    const profiles = profilesAcross(picture, side, Math.floor(search.reach * diagonalPx));
    const edges = visibleEdges(profiles, search.slant * diagonalPx);
    return edges.flatMap((outer) =>
      edges.flatMap((inner) => {
        const [from, to] = [outer, inner].map(({ offsets }) => lineAt(side, offsets).map((end) => depthOf(index, end)));
        const [first, last] = [0, 1].map((end) => (to?.[end] ?? 0) - (from?.[end] ?? 0)) as [number, number];
        const mean = (first + last) / 2;
        const isEven = mean >= width.least && mean <= width.most && Math.abs(first - last) <= difference.ofEnds * mean;
        if (!isEven || Math.min(...inner.offsets) < -edge.outwardsPx) return [];
        const level = darkLevelBetween(profiles, outer.offsets, inner.offsets);
        const score = outer.score + inner.score;
        return level === null ? [] : [{ side: index, inner: inner.offsets, width: mean, level, score }];
      }),
    );
  });
}

/** Distance of a point inwards from a side of the film, without perspective [fraction of its shorter edge]. */
function depthIn(picture: GreyPixels, corners: Corners): (side: number, place: Point) => number {
  const toPlane = inverted(unitSquareTo(corners));
  const aspect = trueAspect(corners, picture);
  const [across, down] = [Math.max(1, aspect), Math.max(1, 1 / aspect)];
  return (side, place) => {
    const { x, y } = toPlane ? mapped(toPlane, place) : { x: 0, y: 0 };
    return [y * down, (1 - x) * across, (1 - y) * down, x * across][side] ?? 0;
  };
}

/** The most visible lines along a side that neither meet nor touch. */
function visibleEdges(profiles: Profiles, slantPx: number): readonly { offsets: Offsets; score: number }[] {
  const lines: { offsets: Offsets; score: number }[] = [];
  for (let first = -profiles.reachPx; first <= profiles.reachPx; first += edge.stepPx) {
    for (let last = -profiles.reachPx; last <= profiles.reachPx; last += edge.stepPx) {
      if (Math.abs(first - last) > slantPx) continue;
      const score = scoreOf(profiles, [first, last]);
      if (score >= edge.minScore) lines.push({ offsets: [first, last], score });
    }
  }
  const kept: typeof lines = [];
  for (const line of lines.sort((a, b) => b.score - a.score)) {
    const isApart = kept.every(({ offsets: [first, last] }) => {
      const [atFirst, atLast] = [line.offsets[0] - first, line.offsets[1] - last];
      return atFirst * atLast > 0 && Math.min(Math.abs(atFirst), Math.abs(atLast)) >= edge.apartPx;
    });
    if (isApart) kept.push(line);
    if (kept.length === edge.count) break;
  }
  return kept.map(({ offsets, score }) => ({ offsets: polished(profiles, offsets), score }));
}

/** Median level of the area between two lines; null if it is brighter or less uniform than a bezel. */
function darkLevelBetween({ levels, along, reachPx }: Profiles, outer: Offsets, inner: Offsets): number | null {
  const means = levels.map((row, sample) => {
    const meanIn = (start: number, end: number): number => {
      const place = (share: number): number => {
        const [from, to] = [outer, inner].map(([first, last]) => first + (last - first) * (along[sample] ?? 0));
        return Math.max(0, Math.round((from ?? 0) * (1 - share) + (to ?? 0) * share) + reachPx + 2);
      };
      const part = row.subarray(place(start), place(end) + 1);
      return part.reduce((sum, level) => sum + level, 0) / part.length;
    };
    const [outside, inside] = [meanIn(0.2, 0.5), meanIn(0.5, 0.8)];
    return Math.abs(outside - inside) <= dark.across ? (outside + inside) / 2 : Infinity;
  });
  const even = means.filter((mean, sample) => Math.abs(mean - (means[Math.max(0, sample - 1)] ?? mean)) <= dark.along);
  const median = means.toSorted((a, b) => a - b)[means.length >> 1] ?? Infinity;
  return median <= dark.level && even.length >= dark.share * means.length ? median : null;
}

function blackOf(picture: GreyPixels, corners: Corners): number {
  const toPicture = unitSquareTo(corners);
  const steps = Array.from({ length: black.grid }, (_, index) => index / (black.grid - 1));
  const shares = steps.map((step) => black.from + (black.to - black.from) * step);
  const levels = shares.flatMap((y) => shares.map((x) => meanAround(picture, mapped(toPicture, { x, y }))));
  return levels.sort((a, b) => a - b)[Math.floor(black.share * levels.length)] ?? 0;
}

function meanAround({ grey, widthPx, heightPx }: GreyPixels, place: Point): number {
  const half = black.sidePx >> 1;
  const [left, top] = [Math.round(place.x) - half, Math.round(place.y) - half];
  let [sum, count] = [0, 0];
  for (let y = Math.max(0, top); y < Math.min(heightPx, top + black.sidePx); y += 1)
    for (let x = Math.max(0, left); x < Math.min(widthPx, left + black.sidePx); x += 1) {
      sum += grey[y * widthPx + x] ?? 0;
      count += 1;
    }
  return sum / Math.max(1, count);
}
