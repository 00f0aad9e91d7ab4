import type { Placement } from "../agreement/placed-by-person.ts";
import type { ConfidenceTier, ReviewReason } from "../confidence.ts";
import type { HeartLandmarkName } from "../landmarks.ts";
import type { ReferenceRange } from "../reference/reference-range.ts";
import { isBorderline, placeInRange } from "../reference/reference-ranges.ts";
import { shownScore } from "../shown-score.ts";
import { noVerdictFacts, type VerdictFacts } from "./verdict-facts.ts";

/** Grades of the networks' measurement, best first. */
export const networkGrades = ["reliable", "usable", "check", "unusable"] as const;
export type NetworkGrade = (typeof networkGrades)[number];

/** Grades of a film's verdict. `placed`: a user placed the points; `rejected`: a user rejected the film. */
export type VerdictGrade = NetworkGrade | "placed" | "rejected";

type CheckedPart =
  "ruler" | "axes" | "leftAtrium" | "view" | "border" | "sharpness" | "proportions" | "marks" | "films";
type Failure = "noScore" | "columnCut" | "heartCut" | "geometry" | "noChest" | "noFilm";

/** Assessment of how far a film's VHS can be used, and what to check first. Scores and limit as displayed [v]. */
export type FilmVerdict =
  | { readonly grade: "reliable" }
  | { readonly grade: "usable"; readonly about: "limit"; readonly limit: number }
  | { readonly grade: "usable"; readonly about: "marks" | "films" }
  | { readonly grade: "usable" | "check"; readonly about: "point"; readonly point: HeartLandmarkName }
  | { readonly grade: "check"; readonly about: "t4"; readonly vhs: number; readonly otherVhs: number }
  | { readonly grade: "check"; readonly about: "vertebra"; readonly index: number; readonly share: number }
  | { readonly grade: "check"; readonly about: CheckedPart }
  | { readonly grade: "unusable"; readonly about: Failure }
  | (Placement & { readonly grade: "placed"; readonly about: "axes" | "below" | "within" | "above" | "nothing" })
  | (Placement & { readonly grade: "placed"; readonly about: "limit"; readonly limit: number })
  | ({ readonly grade: "rejected" } & NonNullable<VerdictFacts["rejection"]>);

/**
 * Part to check for each review reason; null for the landmark on which the votes differ most. Earlier entries take
 * precedence.
 */
const checkedParts: Readonly<Record<Exclude<ReviewReason["kind"], Failing>, CheckedPart | null>> = {
  fallback_ruler: "ruler",
  short_ruler: "ruler",
  member_scatter: "ruler",
  small_thorax: "view",
  pixel_shape: "proportions",
  film_border: "border",
  blurred: "sharpness",
  axes_angle: "axes",
  no_vlas: "leftAtrium",
  spread: null,
};

type Failing = "no_score" | "outside_film" | "geometry";

/**
 * Determines the verdict on a film, in this order: rejected or placed by a user, unusable, alternative T4, reasons for
 * a review, uneven vertebra, agreement of the votes, limit of the VHS within the interval. An alternative T4 counts
 * only if it changes the displayed VHS. null for a film without a measurement.
 */
export function filmVerdict(reading: VerdictFacts, range: ReferenceRange | null): FilmVerdict | null {
  if (reading.rejection) return { grade: "rejected", ...reading.rejection };
  if (reading.placement) return { ...reading.placement, grade: "placed", ...toCheckByHand(reading, range) };
  const failure = failureOf(reading);
  if (failure) return { grade: "unusable", about: failure };
  if (reading.tier === null) return null;
  return otherT4(reading) ?? checkOf(reading) ?? unevenVerdict(reading) ?? usableOf(reading, range);
}

export function verdictOfTier(tier: ConfidenceTier): FilmVerdict {
  const facts = { ...noVerdictFacts, tier };
  return checkOf(facts) ?? usableOf(facts, null);
}

/** Grades by the attention they require, least first. */
const attention: readonly VerdictGrade[] = ["reliable", "placed", "usable", "check", "unusable", "rejected"];

/**
 * Verdict on several films of one study: that on the best film, unless the values differ too much.
 *
 * @param scatterTier  tier as lowered by the scatter of the values; null if it was not lowered
 */
export function studyVerdict(best: FilmVerdict | null, scatterTier: ConfidenceTier | null): FilmVerdict | null {
  if (scatterTier === null) return best;
  const scattered: FilmVerdict = { grade: scatterTier === "review" ? "check" : "usable", about: "films" };
  return best && attention.indexOf(best.grade) >= attention.indexOf(scattered.grade) ? best : scattered;
}

/** What to check on points of a user: axes that are not perpendicular, otherwise the position of the interval. */
function toCheckByHand({ reasons, vhs, vhsInterval }: VerdictFacts, range: ReferenceRange | null) {
  if (reasons.includes("axes_angle")) return { about: "axes" } as const;
  if (range === null || vhs === null || vhsInterval === null) return { about: "nothing" } as const;
  return isBorderline(vhsInterval, range)
    ? ({ about: "limit", limit: limitWithin(vhs, range) } as const)
    : { about: placeInRange(vhs, range) };
}

function failureOf({ resultCode, reasons, cutOff }: VerdictFacts): Failure | null {
  if (resultCode === 6) return "noChest";
  if (resultCode === 7) return "noFilm";
  if (resultCode === 5 || reasons.includes("no_score")) return "noScore";
  if (reasons.includes("outside_film")) return cutOff === "heart" ? "heartCut" : "columnCut";
  return reasons.includes("geometry") ? "geometry" : null;
}

function otherT4({ vhs, otherVhs }: VerdictFacts): FilmVerdict | null {
  const [shown, other] = [shownScore(vhs), shownScore(otherVhs)];
  if (shown === null || other === null || shown === other) return null;
  return { grade: "check", about: "t4", vhs: Math.min(shown, other), otherVhs: Math.max(shown, other) };
}

function checkOf({ tier, reasons, leastCertain }: VerdictFacts): FilmVerdict | null {
  if (tier !== "review") return null;
  const kind = (Object.keys(checkedParts) as (keyof typeof checkedParts)[]).find((each) => reasons.includes(each));
  const part = kind && checkedParts[kind];
  if (part) return { grade: "check", about: part };
  return kind && leastCertain
    ? { grade: "check", about: "point", point: leastCertain }
    : { grade: "check", about: "marks" };
}

/** Verdict on an uneven vertebra, regardless of verdicts with precedence; null without one. */
export function unevenVerdict({ uneven }: VerdictFacts): FilmVerdict | null {
  return uneven && { grade: "check", about: "vertebra", ...uneven };
}

function usableOf({ tier, leastCertain, vhs, vhsInterval }: VerdictFacts, range: ReferenceRange | null): FilmVerdict {
  if (tier === "good")
    return leastCertain
      ? { grade: "usable", about: "point", point: leastCertain }
      : { grade: "usable", about: "marks" };
  const limit = range && vhs !== null && isBorderline(vhsInterval, range) ? limitWithin(vhs, range) : null;
  return limit === null ? { grade: "reliable" } : { grade: "usable", about: "limit", limit };
}

/** The limit nearer to the value, as displayed [v]. */
function limitWithin(vhs: number, { low, high }: ReferenceRange): number {
  return shownScore(low !== null && Math.abs(vhs - low) < Math.abs(vhs - high) ? low : high);
}
