import type { HeartScore } from "../../core/cardiac/heart-score.ts";
import { measures, type KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import type { PlacedHeart } from "../../core/cardiac/measures/placed-heart.ts";
import { pointOfMeasure, type Segment } from "../../core/cardiac/measures/read-measures.ts";
import {
  edgeMark,
  markLabels,
  placeMarks,
  type EdgeMark,
  type PlacedMarks,
} from "../../core/cardiac/drawing/placed-marks.ts";
import { distancePx, type Point } from "../../core/cardiac/points.ts";
import { heartOf, type Draft } from "./draft/draft.ts";
import { mapped, type Matrix, type ScreenPoint, type Size } from "./view.ts";

/** A draft on the stage [CSS px]. */
export type Marks = PlacedMarks & {
  readonly guides: readonly (Segment & { readonly measure: KnownMeasure })[];
  /** All edges; those after the ruler's are drawn fainter. */
  readonly edges: readonly EdgeMark[];
  readonly outline: readonly ScreenPoint[];
};

/** @param frame  size of the image that the points refer to [px] */
export function marksOf(draft: Draft, rulerEdges: readonly Point[], frame: Size, matrix: Matrix): Marks {
  const at = (point: Point) => mapped(matrix, point);
  const placed = heartOf(draft);
  return {
    ...placeMarks({ heart: draft.heart, rulerEdges }, frame, at),
    guides: measures.flatMap((measure) => {
      const guide = placed && guideOf(measure, placed);
      return guide ? [{ measure, from: at(guide.from), to: at(guide.to) }] : [];
    }),
    edges: draft.edges.map((edge) => edgeMark(edge, frame, at)),
    outline: (draft.outline ?? []).map(at),
  };
}

/** Ray of a measure's line from its start, half as long as the long axis; null without a fixed direction. */
function guideOf(measure: KnownMeasure, heart: PlacedHeart): Segment | null {
  const from = pointOfMeasure(measure, heart) && measure.line?.from(heart);
  const direction = measure.line?.direction?.(heart);
  if (!from || !direction) return null;
  const reachPx = distancePx(heart.heart_top, heart.heart_bottom) / 2;
  return { from, to: { x: from.x + direction.x * reachPx, y: from.y + direction.y * reachPx } };
}

/** Minimum distance between vertebra names [CSS px]. */
const namePitchPx = 22;

export function labelsOf(marks: Marks, score: HeartScore | null, write: (value: number) => string) {
  return markLabels(marks, score, { names: { long: "L", short: "S" }, write, namePitchPx });
}
