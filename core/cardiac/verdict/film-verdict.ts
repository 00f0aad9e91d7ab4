import type { ReviewReason } from "../confidence.ts";
import type { HeartLandmarkName } from "../landmarks.ts";
import type { ReferenceRange } from "../reference/reference-range.ts";
import { isBorderline } from "../reference/reference-ranges.ts";
import { shownScore } from "../shown-score.ts";
import type { JudgedReading } from "./verdict-facts.ts";

/** Grades of a film's verdict, best first. */
export type VerdictGrade = "reliable" | "usable" | "check" | "unusable";

type CheckedPart =
  "ruler" | "axes" | "leftAtrium" | "view" | "border" | "sharpness" | "proportions" | "photographs" | "marks";
type Failure = "noScore" | "columnCut" | "heartCut" | "geometry" | "noChest" | "noFilm";

/** How far a film's VHS can be used, and what to check first. Scores and limit as displayed [v]. */
export type FilmVerdict =
  | { readonly grade: "reliable" }
  | { readonly grade: "usable"; readonly about: "limit"; readonly limit: number }
  | { readonly grade: "usable"; readonly about: "marks" }
  | { readonly grade: "usable" | "check"; readonly about: "point"; readonly point: HeartLandmarkName }
  | { readonly grade: "check"; readonly about: "t4"; readonly vhs: number; readonly otherVhs: number }
  | { readonly grade: "check"; readonly about: "vertebra"; readonly index: number; readonly share: number }
  | { readonly grade: "check"; readonly about: CheckedPart }
  | { readonly grade: "unusable"; readonly about: Failure };

/** The part to check for each review reason; null for the point on which the votes differ most. */
const checkedParts: Readonly<Record<Exclude<ReviewReason["kind"], Failing>, CheckedPart | null>> = {
  fallback_ruler: "ruler",
  short_ruler: "ruler",
  member_scatter: "ruler",
  small_thorax: "view",
  pixel_shape: "proportions",
  film_border: "border",
  blurred: "sharpness",
  frame_scatter: "photographs",
  axes_angle: "axes",
  no_vlas: "leftAtrium",
  spread: null,
};

type Failing = "no_score" | "outside_film" | "geometry";

/**
 * Verdict on a film as the networks measured it, in this order: unusable, another T4, reasons for a review, an uneven
 * vertebra, agreement of the votes, a limit within the interval. An alternative T4 counts if it changes the displayed
 * VHS.
 *
 * @param range  of the patient's VHS; null without one
 * @returns      null if a user placed the points
 */
export function filmVerdict(reading: JudgedReading, range: ReferenceRange | null): FilmVerdict | null {
  const failure = failureOf(reading);
  if (failure) return { grade: "unusable", about: failure };
  if (reading.tier === null) return null;
  return otherT4(reading) ?? checkOf(reading) ?? unevenVerdict(reading) ?? usableOf(reading, range);
}

function failureOf({ resultCode, reasons, cutOff }: JudgedReading): Failure | null {
  if (resultCode === 6) return "noChest";
  if (resultCode === 7) return "noFilm";
  if (resultCode === 5 || reasons.includes("no_score")) return "noScore";
  if (reasons.includes("outside_film")) return cutOff === "heart" ? "heartCut" : "columnCut";
  return reasons.includes("geometry") ? "geometry" : null;
}

function otherT4({ vhs, otherVhs }: JudgedReading): FilmVerdict | null {
  const [shown, other] = [shownScore(vhs), shownScore(otherVhs)];
  if (shown === null || other === null || shown === other) return null;
  return { grade: "check", about: "t4", vhs: Math.min(shown, other), otherVhs: Math.max(shown, other) };
}

function checkOf({ tier, reasons, leastCertain }: JudgedReading): FilmVerdict | null {
  if (tier !== "review") return null;
  const kind = (Object.keys(checkedParts) as (keyof typeof checkedParts)[]).find((each) => reasons.includes(each));
  const part = kind && checkedParts[kind];
  if (part) return { grade: "check", about: part };
  return kind && leastCertain
    ? { grade: "check", about: "point", point: leastCertain }
    : { grade: "check", about: "marks" };
}

/** The verdict on an uneven vertebra, whatever outranks it; null without one. */
export function unevenVerdict({ uneven }: JudgedReading): FilmVerdict | null {
  return uneven && { grade: "check", about: "vertebra", ...uneven };
}

function usableOf({ tier, leastCertain, vhs, vhsInterval }: JudgedReading, range: ReferenceRange | null): FilmVerdict {
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
