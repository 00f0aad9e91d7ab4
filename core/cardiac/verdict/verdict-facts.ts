import { z } from "zod";
import { latestProposal } from "../agreement/latest-proposal.ts";
import { networksTier, placementOf } from "../agreement/placed-by-person.ts";
import { readingIntervals } from "../agreement/score-errors.ts";
import { confidenceTiers, reviewReasonKinds, type ConfidenceTier, type ReviewReason } from "../confidence.ts";
import { isInPicture } from "../drawing/within-picture.ts";
import { voteScatterPx } from "../ensemble.ts";
import type { HeartScore } from "../heart-score.ts";
import { axisLandmarkNames, heartLandmarkNames, type HeartLandmarkName } from "../landmarks.ts";
import type { PlacedHeart } from "../measures/placed-heart.ts";
import { valueOrNull } from "../measures/read-measures.ts";
import type { PictureSize, Point } from "../points.ts";
import { scoreByHand } from "../ruler/ruler-by-hand.ts";
import type { UnevenVertebra } from "../ruler/even/uneven-vertebrae.ts";

/** Reasons for which users reject a film or its measurement. `view`: not lateral; `body`: not a thorax. */
export const rejectionReasons = ["view", "body", "cut_off", "quality", "measurement", "other"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** Facts from which the verdict on a film is derived. Scores in vertebrae, unrounded. */
export const verdictFactsShape = z.object({
  /** Tier of the networks' points; null if a user placed the points or the image was not measured. */
  tier: z.enum(confidenceTiers).nullable(),
  resultCode: z.int().min(0).max(7).nullable(),
  vhs: z.number().nullable(),
  /** null for the networks' points. */
  placement: z.object({ how: z.enum(["corrected", "by_hand"]), who: z.string().nullable() }).nullable(),
  /** null unless a user rejected the reading; `reason`: null if not stated. */
  rejection: z.object({ who: z.string().nullable(), reason: z.enum(rejectionReasons).nullable() }).nullable(),
  /** Reasons for a review; only `axes_angle` for points of a user. */
  reasons: z.array(z.enum(reviewReasonKinds)).readonly(),
  /** VHS counted from the alternative T4; null if T4 is certain. */
  otherVhs: z.number().nullable(),
  /** Heart point with the largest scatter of the votes; null with fewer than two votes. */
  leastCertain: z.enum(heartLandmarkNames).nullable(),
  cutOff: z.enum(["column", "heart"]).nullable(),
  /** Most uneven vertebra: its index from T4, and its length relative to its neighbours. */
  uneven: z.object({ index: z.int(), share: z.number() }).nullable(),
  vhsInterval: z.object({ low: z.number(), high: z.number() }).nullable(),
});

export type VerdictFacts = z.infer<typeof verdictFactsShape>;

type JudgedReading = Parameters<typeof readingIntervals>[0] & {
  readonly tier: ConfidenceTier | null;
  readonly who: string | null;
  readonly rejectionReason?: RejectionReason | undefined;
  readonly reviewReasons: readonly ReviewReason[];
  /** Size of the film that all points refer to [px]. */
  readonly frame: PictureSize;
  readonly heart: PlacedHeart | null;
  readonly ruler: { readonly edges: readonly Point[] } | null;
  readonly otherCount: { readonly edges: readonly Point[] } | null;
  readonly uneven?: readonly UnevenVertebra[] | undefined;
  readonly score: HeartScore | null;
  readonly votes: readonly { readonly [Name in HeartLandmarkName]: Point | null }[];
};

/** Facts of a result of which nothing is known; a base for results with a tier only, such as those of the API. */
export const noVerdictFacts: VerdictFacts = {
  tier: null,
  resultCode: null,
  vhs: null,
  placement: null,
  rejection: null,
  reasons: [],
  otherVhs: null,
  leastCertain: null,
  cutOff: null,
  uneven: null,
  vhsInterval: null,
};

/** @param versions  of the film, up to this reading, oldest first */
export function verdictFacts(reading: JudgedReading, versions: Parameters<typeof placementOf>[1]): VerdictFacts {
  const { verdict, who, rejectionReason, reviewReasons, score } = reading;
  const placement = placementOf(reading, versions);
  const areAxesOff = score !== null && !score.areAxesPerpendicular;
  return {
    tier: networksTier(reading, latestProposal(versions)),
    resultCode: placement ? null : reading.resultCode,
    vhs: score?.vhs ?? null,
    placement,
    rejection: verdict === "rejected" ? { who, reason: rejectionReason ?? null } : null,
    reasons: placement ? (areAxesOff ? ["axes_angle"] : []) : reviewReasons.map(({ kind }) => kind),
    otherVhs: otherVhs(reading),
    leastCertain: leastCertain(reading.votes),
    cutOff: cutOff(reading),
    uneven: mostUneven(reading.uneven ?? []),
    vhsInterval: readingIntervals(reading)?.vhs ?? null,
  };
}

function otherVhs({ heart, otherCount, score }: JudgedReading): number | null {
  if (!heart || !otherCount) return null;
  return valueOrNull(() => scoreByHand(heart, otherCount.edges, { heart, score }).score.vhs);
}

function leastCertain(votes: JudgedReading["votes"]): HeartLandmarkName | null {
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

function cutOff({ heart, ruler, frame }: JudgedReading): VerdictFacts["cutOff"] {
  const isOutside = (point: Point) => !isInPicture(point, frame);
  if (ruler?.edges.some(isOutside)) return "column";
  return heart && axisLandmarkNames.some((name) => isOutside(heart[name])) ? "heart" : null;
}
