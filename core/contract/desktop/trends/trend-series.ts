import { changeBetween, type Change } from "../../../cardiac/agreement/change.ts";
import { scoreErrorsOf } from "../../../cardiac/agreement/score-errors.ts";
import { hasScore } from "../../../cardiac/agreement/reported-readings.ts";
import type { MeasureName } from "../../../cardiac/measures/measures.ts";
import { valueBefore, type SeriesValue } from "../../../cardiac/reference/trend.ts";
import type { Reading } from "../readings.ts";
import type { TrendPoint } from "../patients.ts";

/** What of a trend changes are read from. */
export type TrendValues = readonly Pick<TrendPoint, "at" | "errors" | MeasureName>[];

/** Points whose values may be shown: in reader mode those that a user has measured or decided. */
export function shownPoints<Point extends Pick<TrendPoint, "source">>(
  points: readonly Point[],
  isReaderMode: boolean,
): readonly Point[] {
  return isReaderMode ? points.filter(({ source }) => source === "person") : points;
}

/** Values of one measure of a trend, in the order of its points; points without a value are left out. */
export function seriesOf(points: TrendValues, name: MeasureName): readonly SeriesValue[] {
  return points.flatMap(({ at, errors, [name]: value }) =>
    typeof value !== "number" ? [] : [{ atMs: Date.parse(at), value, errors }],
  );
}

/**
 * Change of a measure from the visit before a film to one of its readings.
 *
 * @param takenAt  of the film; null if its date is omitted
 * @returns        null without a value in both
 */
export function changeToReading(
  reading: Reading,
  takenAt: Date | null,
  trend: TrendValues,
  name: MeasureName,
): (Change & { readonly fromMs: number }) | null {
  const value = hasScore(reading) ? (reading.score?.[name] ?? null) : null;
  const before = takenAt && valueBefore(seriesOf(trend, name), takenAt.getTime());
  if (value === null || !before) return null;
  return { ...changeBetween(name, before, { value, errors: scoreErrorsOf(reading) }), fromMs: before.atMs };
}
