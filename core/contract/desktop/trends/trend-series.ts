import { changeBetween, type Change } from "../../../cardiac/agreement/change.ts";
import { scoreErrorsOf } from "../../../cardiac/agreement/score-errors.ts";
import { hasScore } from "../../../cardiac/agreement/reported-readings.ts";
import type { MeasureName } from "../../../cardiac/measures/measures.ts";
import { valueBefore, type SeriesValue } from "../../../cardiac/reference/trend.ts";
import type { Reading } from "../readings.ts";
import type { TrendPoint } from "../patients.ts";

export type TrendValues = readonly Pick<TrendPoint, "at" | "errors" | MeasureName>[];

/** Points whose values may be shown; in reader mode only those that a user has measured or decided. */
export function shownPoints<Point extends Pick<TrendPoint, "source">>(
  points: readonly Point[],
  isReaderMode: boolean,
): readonly Point[] {
  return isReaderMode ? points.filter(({ source }) => source === "person") : points;
}

export function seriesOf(points: TrendValues, name: MeasureName): readonly SeriesValue[] {
  return points.flatMap(({ at, errors, [name]: value }) =>
    typeof value !== "number" ? [] : [{ atMs: Date.parse(at), value, errors }],
  );
}

/** Change of a measure from the previous visit to a reading of a film; null if either value is missing. */
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
