import { drawnInterval } from "../../core/cardiac/agreement/score-errors.ts";
import type { MeasureName } from "../../core/cardiac/measures/measures.ts";
import { placeInRange } from "../../core/cardiac/reference/reference-ranges.ts";
import type { ReferenceRange } from "../../core/cardiac/reference/reference-range.ts";
import type { ScoreInterval } from "../../core/cardiac/score-intervals.ts";
import { shownScore } from "../../core/cardiac/shown-score.ts";
import type { TrendPoint } from "../../core/contract/desktop/patients.ts";

/** A point of a series, with its value as displayed [v]. */
type DrawnPoint = {
  readonly point: TrendPoint;
  readonly atMs: number;
  readonly value: number;
  readonly isAbove: boolean;
  readonly interval: ScoreInterval | null;
};

/**
 * Values are rounded as displayed, like the limits of `drawnRange`: an unrounded value can lie on the other side of a
 * limit than its displayed figure.
 */
export function drawnSeries(
  points: readonly TrendPoint[],
  name: MeasureName,
  range: ReferenceRange | null,
): readonly DrawnPoint[] {
  return points.flatMap((point) => {
    const value = point[name];
    if (typeof value !== "number") return [];
    const isAbove = range !== null && placeInRange(value, range) === "above";
    return [
      {
        point,
        atMs: Date.parse(point.at),
        value: shownScore(value),
        isAbove,
        interval: drawnInterval(value, point.errors, name),
      },
    ];
  });
}

export function drawnRange(range: ReferenceRange): { readonly low: number | null; readonly high: number } {
  return { low: shownScore(range.low), high: shownScore(range.high) };
}
