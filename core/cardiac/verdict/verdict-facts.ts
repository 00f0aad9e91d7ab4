import { isPlacedByPerson, networksTier } from "../agreement/placed-by-person.ts";
import type { ConfidenceTier, ReviewReason } from "../confidence.ts";
import { isInPicture } from "../drawing/within-picture.ts";
import { voteScatterPx } from "../ensemble.ts";
import type { HeartScore } from "../heart-score.ts";
import { axisLandmarkNames, heartLandmarkNames, type HeartLandmarkName } from "../landmarks.ts";
import type { PlacedHeart } from "../measures/placed-heart.ts";
import { valueOrNull } from "../measures/read-measures.ts";
import type { PictureSize, Point } from "../points.ts";
import { scoreByHand } from "../ruler/ruler-by-hand.ts";
import type { UnevenVertebra } from "../ruler/even/uneven-vertebrae.ts";
import type { ScoreInterval, ScoreIntervals } from "../score-intervals.ts";

export const cutParts = ["column", "heart"] as const;

export type VerdictFacts = {
  readonly reasons: readonly ReviewReason["kind"][];
  /** VHS counted from the alternative T4 [v], unrounded; null if T4 is certain. */
  readonly otherVhs: number | null;
  /** Heart point with the largest scatter of the votes; null with fewer than two votes. */
  readonly leastCertain: HeartLandmarkName | null;
  readonly cutOff: (typeof cutParts)[number] | null;
  /** The most uneven vertebra: its index from T4, and its length as a share of its neighbours'. */
  readonly uneven: { readonly index: number; readonly share: number } | null;
  readonly vhsInterval: ScoreInterval | null;
};

export type JudgedReading = VerdictFacts & {
  /** null if a user placed the points, and for an image that was not measured. */
  readonly tier: ConfidenceTier | null;
  readonly resultCode: number | null;
  /** [v], unrounded. */
  readonly vhs: number | null;
};

type Geometry = {
  readonly reviewReasons: readonly ReviewReason[];
  /** Size of the film that all points refer to [px]. */
  readonly frame: PictureSize;
  readonly heart: PlacedHeart | null;
  readonly ruler: { readonly edges: readonly Point[] } | null;
  readonly otherCount: { readonly edges: readonly Point[] } | null;
  readonly uneven?: readonly UnevenVertebra[] | undefined;
  readonly score: HeartScore | null;
  readonly intervals: ScoreIntervals | null;
  readonly votes: readonly { readonly [Name in HeartLandmarkName]: Point | null }[];
};

/** Facts of a result known by its tier alone, as of the API. */
export const noVerdictFacts: VerdictFacts = {
  reasons: [],
  otherVhs: null,
  leastCertain: null,
  cutOff: null,
  uneven: null,
  vhsInterval: null,
};

export function verdictFacts(reading: Geometry): VerdictFacts {
  return {
    reasons: reading.reviewReasons.map(({ kind }) => kind),
    otherVhs: otherVhs(reading),
    leastCertain: leastCertain(reading.votes),
    cutOff: cutOff(reading),
    uneven: mostUneven(reading.uneven ?? []),
    vhsInterval: reading.intervals?.vhs ?? null,
  };
}

type Decided = Parameters<typeof networksTier>[0];

/**
 * Facts and result of a whole reading.
 *
 * @param proposal  latest reading of the networks; null without one
 */
export function judgedReading(
  reading: Geometry & Decided,
  proposal: Parameters<typeof networksTier>[1],
): JudgedReading {
  return {
    ...verdictFacts(reading),
    tier: networksTier(reading, proposal),
    resultCode: isPlacedByPerson(reading) ? null : reading.resultCode,
    vhs: reading.score?.vhs ?? null,
  };
}

function otherVhs({ heart, otherCount, score }: Geometry): number | null {
  if (!heart || !otherCount) return null;
  return valueOrNull(() => scoreByHand(heart, otherCount.edges, { heart, score }).score.vhs);
}

function leastCertain(votes: Geometry["votes"]): HeartLandmarkName | null {
  if (votes.length < 2) return null;
  const scatters = heartLandmarkNames.map((name) => {
    const places = votes.flatMap((vote) => vote[name] ?? []);
    return { name, scatterPx: places.length < 2 ? 0 : voteScatterPx(places) };
  });
  return scatters.reduce((most, each) => (each.scatterPx > most.scatterPx ? each : most)).name;
}

function mostUneven(vertebrae: readonly UnevenVertebra[]): VerdictFacts["uneven"] {
  const deviation = ({ share }: UnevenVertebra) => Math.abs(Math.log(share));
  const [most] = vertebrae.toSorted((a, b) => deviation(b) - deviation(a));
  return most ? { index: most.index, share: most.share } : null;
}

function cutOff({ heart, ruler, frame }: Geometry): VerdictFacts["cutOff"] {
  const isOutside = (point: Point) => !isInPicture(point, frame);
  if (ruler?.edges.some(isOutside)) return "column";
  return heart && axisLandmarkNames.some((name) => isOutside(heart[name])) ? "heart" : null;
}
