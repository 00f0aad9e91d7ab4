import type { MeasureName } from "../../cardiac/measures/measures.ts";
import type { SeriesValue } from "../../cardiac/reference/trend.ts";
import type { TrendPoint } from "./patients.ts";

/** Values of one measure of a trend, in the order of its points; points without a value are left out. */
export function seriesOf(
  points: readonly Pick<TrendPoint, "at" | "errors" | MeasureName>[],
  name: MeasureName,
): readonly SeriesValue[] {
  return points.flatMap(({ at, errors, [name]: value }) =>
    typeof value !== "number" ? [] : [{ atMs: Date.parse(at), value, errors }],
  );
}
