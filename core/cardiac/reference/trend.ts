import { z } from "zod";
import { dayMs, monthMs } from "../../durations.ts";
import { signedNumber } from "../../language/signed-number.ts";
import { errorsBetween, type ScoreWithErrors } from "../agreement/change.ts";
import { normal975, studentT975 } from "../agreement/student-t.ts";
import type { MeasureName } from "../measures/measures.ts";

/** One value of a patient's series [v], with the errors of its film. */
export type SeriesValue = ScoreWithErrors & {
  /** Time of the radiograph [UTC ms]. */
  readonly atMs: number;
};

/** Rate of change of a score: slope of the least-squares line with its 95 % interval [v per month of 30.44 days]. */
export const rateShape = z.object({
  perMonth: z.number(),
  low: z.number(),
  high: z.number(),
  /** Whether the score rises significantly and at least as fast as `fastRise`. */
  isFast: z.boolean(),
});

export type RateOfChange = z.infer<typeof rateShape>;

/**
 * Rise of VHS that precedes heart failure in Cavaliers. The likelihood ratio for its onset is 15 from `perMonth` [v]
 * on, and 0.05 up to 0.06 v per month.
 */
export const fastRise = { perMonth: 0.08, source: "Lord et al. 2011, J Vet Intern Med 25:1312–1319" } as const;

/** Films closer together than this belong to one visit [ms]; their difference is scatter, not change. */
const oneVisitMs = dayMs;

/** Last value of an earlier visit; `series` oldest first. */
export function valueBefore<Value extends Pick<SeriesValue, "atMs">>(
  series: readonly Value[],
  atMs: number,
): Value | null {
  return series.findLast((earlier) => atMs - earlier.atMs >= oneVisitMs) ?? null;
}

/** Minimum number of films for a rate; two films show only a change. */
const minFilms = 3;

export function hasTwoVisits(series: readonly Pick<SeriesValue, "atMs">[]): boolean {
  const times = series.map(({ atMs }) => atMs);
  return series.length > 1 && Math.max(...times) - Math.min(...times) >= oneVisitMs;
}

/** null for fewer than three films or films of one visit only. */
export function rateOfChange(name: MeasureName, series: readonly SeriesValue[]): RateOfChange | null {
  if (series.length < minFilms || !hasTwoVisits(series)) return null;
  const meanMs = mean(series.map(({ atMs }) => atMs));
  const meanValue = mean(series.map(({ value }) => value));
  const months = series.map(({ atMs }) => (atMs - meanMs) / monthMs);
  const spread = sum(months.map((month) => month ** 2));
  const perMonth = sum(series.map(({ value }, index) => (months[index] ?? 0) * (value - meanValue))) / spread;
  const residuals = series.map(({ value }, index) => value - meanValue - perMonth * (months[index] ?? 0));
  const errors = series.map((film) => film.errors);
  const half = halfWidthOfSlope(errorsBetween(name, errors), residuals, months, spread);
  const [low, high] = [perMonth - half, perMonth + half];
  return { perMonth, low, high, isFast: name === "vhs" && perMonth >= fastRise.perMonth && low > 0 };
}

export function slopesInWords(
  { perMonth, low, high }: RateOfChange,
  number: (value: number, decimals: number) => string,
): readonly [perMonth: string, low: string, high: string] {
  const words = (slope: number) => signedNumber(slope, 2, number);
  return [words(perMonth), words(low), words(high)];
}

/** From the films' errors, or from the scatter around the line if an error is unknown. */
function halfWidthOfSlope(
  errors: readonly number[] | null,
  residuals: readonly number[],
  months: readonly number[],
  spread: number,
): number {
  if (errors) return (normal975 * Math.hypot(...errors.map((error, index) => error * (months[index] ?? 0)))) / spread;
  const degrees = residuals.length - 2;
  return studentT975(degrees) * Math.sqrt(sum(residuals.map((residual) => residual ** 2)) / degrees / spread);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
