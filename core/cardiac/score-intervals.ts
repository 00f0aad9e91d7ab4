import { perMeasure, type MeasureName, type MeasureValues, type PerMeasure } from "./measures/measures.ts";

/** One row of a pack's calibration: for films of which half width holds [v]. null sets no limit. */
type CalibrationRow = {
  readonly kind: "direct" | "photograph";
  /** Width of the film in the file as it came [px]. */
  readonly widthUpToPx: number | null;
  /** Of the measured VHS [v]: a large heart is off by more. Packs up to 2026.11.7 name none. */
  readonly vhsUpTo?: number | null | undefined;
  readonly spreadUpTo: number | null;
  readonly vhsHalfWidth: number;
  readonly vlasHalfWidth: number;
  /** Absent in a pack that proposes no RLAD. */
  readonly rladHalfWidth?: number | undefined;
};

/** How far a pack was off on films that its networks were not trained on. */
export type Calibration = {
  /** Share of the calibration films whose score is in the interval, 0–1. */
  readonly coverage: number;
  readonly intervals: readonly CalibrationRow[];
};

/** A stretch of vertebrae [v], unrounded. */
export type ScoreInterval = { readonly low: number; readonly high: number };

/** Intervals of the scores with probability `coverage`; null for a missing score, absent if the pack proposes none. */
export type ScoreIntervals = PerMeasure<ScoreInterval | null> & { readonly coverage: number };

/** What of a film decides which row of a calibration holds. */
export type CalibratedFilm = {
  readonly kind: CalibrationRow["kind"];
  readonly widthPx: number;
  /** null for photographs. */
  readonly spread: number | null;
};

export type CoveredInterval = ScoreInterval & { readonly coverage: number };

/** The interval of one measure with its coverage; null for a measure without one. */
export function intervalOf(intervals: ScoreIntervals | null, measure: MeasureName): CoveredInterval | null {
  const ends = intervals?.[measure];
  return intervals && ends ? { ...ends, coverage: intervals.coverage } : null;
}

/**
 * Intervals of a film's scores: half widths of the first row that holds for it.
 *
 * @param calibration  null or undefined for a pack that was not calibrated
 * @param scores       [v], unrounded
 * @returns            null where no row holds
 */
export function intervalsOf(
  calibration: Calibration | null | undefined,
  film: CalibratedFilm,
  scores: MeasureValues,
): ScoreIntervals | null {
  const row = calibration?.intervals.find(
    ({ kind, widthUpToPx, vhsUpTo = null, spreadUpTo }) =>
      kind === film.kind &&
      isUpTo(film.widthPx, widthUpToPx) &&
      isUpTo(scores.vhs, vhsUpTo) &&
      isUpTo(film.spread, spreadUpTo),
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

/** Whether a value keeps within a row's limit; null sets no limit, and a missing value exceeds every other. */
export function isUpTo(value: number | null, limit: number | null): boolean {
  return limit === null || (value !== null && value <= limit);
}

function intervalAround(score: number | null, halfWidth: number): ScoreInterval | null {
  return score === null ? null : { low: Math.max(0, score - halfWidth), high: score + halfWidth };
}
