import type { Calibration } from "./measures/calibration.ts";
import { perMeasure, type MeasureName, type MeasureValues, type PerMeasure } from "./measures/measures.ts";

/** An interval [v], unrounded. */
export type ScoreInterval = { readonly low: number; readonly high: number };

/**
 * Intervals of the scores with probability `coverage`. null for a missing score, absent if the pack does not propose
 * the measure.
 */
export type ScoreIntervals = PerMeasure<ScoreInterval | null> & { readonly coverage: number };

export type CalibratedFilm = {
  readonly kind: "direct" | "photograph";
  readonly widthPx: number;
  /** null for photographs. */
  readonly spread: number | null;
};

export type CoveredInterval = ScoreInterval & { readonly coverage: number };

export function intervalOf(intervals: ScoreIntervals | null, measure: MeasureName): CoveredInterval | null {
  const ends = intervals?.[measure];
  return intervals && ends ? { ...ends, coverage: intervals.coverage } : null;
}

/** Intervals of a film's unrounded scores [v], by the first row that applies; null if none does. */
export function intervalsOf(
  calibration: Calibration | null | undefined,
  film: CalibratedFilm,
  scores: MeasureValues,
): ScoreIntervals | null {
  const row = calibration?.intervals.find(
    ({ kind, widthUpToPx, vhsUpTo, spreadUpTo }) =>
      kind === film.kind &&
      isWithinLimit(film.widthPx, widthUpToPx) &&
      isWithinLimit(scores.vhs, vhsUpTo) &&
      isWithinLimit(film.spread, spreadUpTo),
  );
  if (!calibration || !row) return null;
  return {
    coverage: calibration.coverage,
    ...perMeasure(({ name }) => {
      const halfWidth = row[`${name}HalfWidth` as const];
      return halfWidth === undefined ? undefined : intervalAround(scores[name] ?? null, halfWidth);
    }),
  };
}

/** Whether a value is within a row's limit. A limit of null is none; a missing value exceeds every limit. */
export function isWithinLimit(value: number | null, limit: number | null): boolean {
  return limit === null || (value !== null && value <= limit);
}

function intervalAround(score: number | null, halfWidth: number): ScoreInterval | null {
  return score === null ? null : { low: Math.max(0, score - halfWidth), high: score + halfWidth };
}
