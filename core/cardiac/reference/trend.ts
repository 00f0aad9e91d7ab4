import { dayMs, monthMs } from "../../durations.ts";
import { shownChange } from "../shown-score.ts";

/** One value of a patient's series. */
export type SeriesValue = {
  /** UTC time of the radiograph [ms]. */
  readonly atMs: number;
  /** Score [v]. */
  readonly value: number;
};

/** A rise between two values of a series, as shown. */
type Rise = { readonly change: number; readonly fromMs: number; readonly toMs: number };

/** How fast a score changes. */
export type RateOfChange = {
  /** Slope of the least squares line [v per month of 30.44 days]. */
  readonly perMonth: number;
  /** Largest rise between two values at most six months apart; null when no value rose. */
  readonly largestRise: Rise | null;
  /** The largest rise reaches the marked one. */
  readonly isMarked: boolean;
};

/**
 * A VHS that rises this much [v] within this time [months] is marked. The source saw it rise by `beforeFailurePerMonth`
 * [v] or more a month in Cavaliers shortly before congestive heart failure.
 */
export const markedRise = {
  vertebrae: 0.5,
  months: 6,
  source: "Lord et al. 2011, J Vet Intern Med 25:1312–1319",
  beforeFailurePerMonth: 0.08,
} as const;

/** Films closer together than this [ms] belong to one visit: their difference is scatter, not change. */
const oneVisitMs = dayMs;

/**
 * Value to compare with: the last one of an earlier visit; null without one.
 *
 * @param series  oldest first
 * @param atMs    UTC time of the compared radiograph [ms]
 */
export function valueBefore<Value extends Pick<SeriesValue, "atMs">>(
  series: readonly Value[],
  atMs: number,
): Value | null {
  return series.findLast((earlier) => atMs - earlier.atMs >= oneVisitMs) ?? null;
}

/**
 * Rate of change of a score and whether it rose markedly.
 *
 * @param series  values in any order
 * @returns       null when there are not two values at least a day apart
 * @see markedRise
 */
export function rateOfChange(series: readonly SeriesValue[]): RateOfChange | null {
  const perMonth = slopePerMonth(series);
  if (perMonth === null) return null;
  const rise = largestRise(series);
  return { perMonth, largestRise: rise, isMarked: rise !== null && rise.change >= markedRise.vertebrae };
}

/** Slope of the least squares line [v/month]; null when all values are of one visit. */
function slopePerMonth(series: readonly SeriesValue[]): number | null {
  const times = series.map((point) => point.atMs);
  if (Math.max(...times) - Math.min(...times) < oneVisitMs) return null;
  const meanMs = mean(series.map((point) => point.atMs));
  const meanValue = mean(series.map((point) => point.value));
  let covariance = 0;
  let variance = 0;
  for (const { atMs, value } of series) {
    const months = (atMs - meanMs) / monthMs;
    covariance += months * (value - meanValue);
    variance += months * months;
  }
  return covariance / variance;
}

function largestRise(series: readonly SeriesValue[]): Rise | null {
  const sorted = [...series].sort((a, b) => a.atMs - b.atMs);
  let largest: Rise | null = null;
  for (const [index, later] of sorted.entries()) {
    for (const earlier of sorted.slice(0, index)) {
      if (later.atMs - earlier.atMs < oneVisitMs || later.atMs - earlier.atMs > markedRise.months * monthMs) continue;
      const change = shownChange(earlier.value, later.value);
      if (change > (largest?.change ?? 0)) largest = { change, fromMs: earlier.atMs, toMs: later.atMs };
    }
  }
  return largest;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
