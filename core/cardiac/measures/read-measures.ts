import { AppError } from "../../app-error.ts";
import type { AxisEnds } from "../landmarks.ts";
import { distancePx, interpolate, type Point } from "../points.ts";
import type { VertebralRuler } from "../ruler/vertebral-ruler.ts";
import { measures, perMeasure, type KnownMeasure, type MeasureValues } from "./measures.ts";
import type { PlacedHeart } from "./placed-heart.ts";

/** A line on the film [px]. */
export type Segment = { readonly from: Point; readonly to: Point };

/** Invalid geometry gives null instead of an error; measures that were not placed are absent. */
export function readMeasures(heart: PlacedHeart, ruler: VertebralRuler): MeasureValues {
  return perMeasure((measure) =>
    measure.placedBy === "networks" || pointOfMeasure(measure, heart) ? valueOf(measure, heart, ruler) : undefined,
  );
}

/** Measures to display for one or more readings: always those of the networks, others if a reading has them. */
export function shownMeasures(...readings: readonly Partial<MeasureValues>[]): readonly KnownMeasure[] {
  return measures.filter(
    ({ name, placedBy }) => placedBy === "networks" || readings.some((values) => typeof values[name] === "number"),
  );
}

/** Line along which a measure is read; null if the measure has none or its end is not placed. */
export function lineOfMeasure({ line }: KnownMeasure, axes: AxisEnds, point: Point | null | undefined): Segment | null {
  const from = line && point ? line.from(axes) : null;
  if (!line || !point || !from) return null;
  const direction = line.direction?.(axes);
  if (direction === undefined) return { from, to: point };
  return direction && { from, to: alongFrom(from, direction, point) };
}

export function pointOfMeasure({ line }: KnownMeasure, heart: Partial<PlacedHeart>): Point | null {
  return (line && heart[line.point]) ?? null;
}

/**
 * Projects the end of every constrained line onto its direction, so that the line follows when the axes move. A line
 * that had no length before a point was moved keeps none.
 */
export function boundToLines(heart: PlacedHeart, before: PlacedHeart | null): PlacedHeart {
  const bound = measures.flatMap((measure) => {
    const line = measure.line?.direction ? lineOfMeasure(measure, heart, pointOfMeasure(measure, heart)) : null;
    if (!measure.line || !line) return [];
    const isStillUndrawn =
      before !== null && isUndrawn(measure, before) && pointOfMeasure(measure, before) === heart[measure.line.point];
    return [[measure.line.point, isStillUndrawn ? line.from : line.to]];
  });
  return { ...heart, ...Object.fromEntries(bound) };
}

/** Whether a measure was added and its line has no length yet. */
export function isUndrawn(measure: KnownMeasure, heart: PlacedHeart): boolean {
  const line = lineOfMeasure(measure, heart, pointOfMeasure(measure, heart));
  return measure.placedBy === "person" && line !== null && distancePx(line.from, line.to) === 0;
}

/** Calls `read`; returns null if it throws an `AppError`, which geometry without a value does. */
export function valueOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function valueOf(measure: KnownMeasure, heart: PlacedHeart, ruler: VertebralRuler): number | null {
  const line = lineOfMeasure(measure, heart, pointOfMeasure(measure, heart));
  if (measure.line && !line) return null;
  const value = valueOrNull(() => measure.read(heart, ruler, line ? distancePx(line.from, line.to) : 0));
  return value !== null && value >= measure.valid.least && value <= measure.valid.most ? value : null;
}

/** Point of a ray that is nearest to `point`. */
function alongFrom(from: Point, direction: Point, point: Point): Point {
  const along = (point.x - from.x) * direction.x + (point.y - from.y) * direction.y;
  return interpolate(from, { x: from.x + direction.x, y: from.y + direction.y }, Math.max(0, along));
}
