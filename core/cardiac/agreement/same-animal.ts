import { dayMs } from "../../durations.ts";
import { distancePx, segmentLengthsPx, type Point } from "../points.ts";
import { shownChange } from "../shown-score.ts";

/**
 * Differences between films of one day from which they may show two animals [v, deg, v]; also stated in the texts. In
 * 57 pairs of simulated films of one dog, in two poses and phases of the heart, the differences were at most 0.7 v, 8°
 * and 0.3 v; real pairs were not available (`training.repeats.animals`). The position along the column is not used,
 * since it shifts by a vertebra if T4 is named differently.
 */
const doubtfulDifferences = { vhs: 3, direction: 20, depth: 1 } as const;

export const animalTraits = ["vhs", "direction", "depth"] as const satisfies (keyof typeof doubtfulDifferences)[];
type AnimalTrait = (typeof animalTraits)[number];

/**
 * Position of the heart relative to the column. `direction`: angle of its long axis from the perpendicular to the
 * column, positive if the apex is caudal of the base [deg]. `depth`: distance of the middle of its short axis from the
 * column [v].
 */
type HeartPlace = { readonly direction: number; readonly depth: number };

/** A film with the traits that distinguish animals. VHS in vertebrae, unrounded; `place` is null if unknown. */
type DatedHeart = {
  readonly filmId: string;
  readonly atMs: number;
  readonly vhs: number;
  readonly place: HeartPlace | null;
};

export type SameAnimal = { readonly filmId: string; readonly otherId: string };

/** A film that may show another animal, and the first differing trait with its value on both films. */
type OtherAnimal<Film> = {
  readonly film: Film;
  readonly trait: AnimalTrait;
  readonly here: number;
  readonly there: number;
};

/** Number of vertebrae from T4 over which the column is treated as straight. */
const straightVertebrae = 5;

/** Position of the heart in a picture of square pixels, whatever the facing direction; null without a ruler. */
export function heartPlace(
  heart: Readonly<Record<"heart_top" | "heart_bottom" | "heart_right" | "heart_left", Point>>,
  ruler: readonly Point[],
): HeartPlace | null {
  const [from, to] = [ruler[0], ruler[Math.min(straightVertebrae, ruler.length - 1)]];
  if (!from || !to || from === to) return null;
  const columnPx = distancePx(from, to);
  const lengthsPx = segmentLengthsPx(ruler);
  const vertebraPx = lengthsPx.reduce((sum, length) => sum + length, 0) / lengthsPx.length;
  if (!(columnPx > 0 && vertebraPx > 0)) return null;
  const caudal = { x: (to.x - from.x) / columnPx, y: (to.y - from.y) / columnPx };
  const along = (point: Point) => (point.x - from.x) * caudal.x + (point.y - from.y) * caudal.y;
  const across = (point: Point) => (point.y - from.y) * caudal.x - (point.x - from.x) * caudal.y;
  const ventral = Math.sign(across(heart.heart_bottom));
  const { heart_top: base, heart_bottom: apex, heart_right: cranial, heart_left: end } = heart;
  const below = (point: Point) => ventral * across(point);
  return {
    direction: (Math.atan2(along(apex) - along(base), below(apex) - below(base)) * 180) / Math.PI,
    depth: (below(cranial) + below(end)) / 2 / vertebraPx,
  };
}

export function isWithinDay(one: Pick<DatedHeart, "atMs">, other: Pick<DatedHeart, "atMs">): boolean {
  return Math.abs(one.atMs - other.atMs) < dayMs;
}

/**
 * Finds a film of the same day whose heart differs so much that it may show another animal. `confirmed`: pairs of one
 * animal, in any order, which are skipped.
 */
export function filmOfOtherAnimal<Film extends DatedHeart>(
  film: DatedHeart,
  ofPatient: readonly Film[],
  confirmed: readonly SameAnimal[],
): OtherAnimal<Film> | null {
  const isConfirmed = (otherId: string) =>
    confirmed.some((pair) => [pair.filmId, pair.otherId].sort().join() === [film.filmId, otherId].sort().join());
  const doubted = ofPatient
    .filter((other) => isWithinDay(other, film) && !isConfirmed(other.filmId))
    .flatMap((other) => differencesOf(film, other).map((difference) => ({ film: other, ...difference })));
  return doubted[0] ?? null;
}

function differencesOf(film: DatedHeart, other: DatedHeart) {
  const traits = [
    { trait: "vhs", here: film.vhs, there: other.vhs, shown: shownChange },
    ...(film.place && other.place
      ? ([
          { trait: "direction", here: film.place.direction, there: other.place.direction, shown: wholeDegrees },
          { trait: "depth", here: film.place.depth, there: other.place.depth, shown: shownChange },
        ] as const)
      : []),
  ] as const;
  return traits
    .filter(({ trait, here, there, shown }) => Math.abs(shown(here, there)) >= doubtfulDifferences[trait])
    .map(({ trait, here, there }) => ({ trait, here, there }));
}

function wholeDegrees(one: number, other: number): number {
  return Math.round(other) - Math.round(one);
}
