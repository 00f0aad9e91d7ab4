import type { HeartScore } from "../../core/cardiac/heart-score.ts";
import { measures, type HeartPointName, type KnownMeasure } from "../../core/cardiac/measures/measures.ts";
import { heartPointNames, type PlacedHeart } from "../../core/cardiac/measures/placed-heart.ts";
import { lineOfMeasure, pointOfMeasure, type Segment } from "../../core/cardiac/measures/read-measures.ts";
import { heartEllipse, labelledEnds, type Ellipse } from "../../core/cardiac/drawing/place-labels.ts";
import { distancePx, interpolate, type Point } from "../../core/cardiac/points.ts";
import { shownAxes } from "../../core/cardiac/shown-score.ts";
import { vertebraName } from "../../core/cardiac/ruler/vertebra-name.ts";
import { isInPicture, partsInPicture } from "../../core/cardiac/drawing/within-picture.ts";
import { heartOf, type Draft } from "./draft/draft.ts";
import type { Label } from "./label-placement.ts";
import { mapped, type Matrix, type ScreenPoint, type Size } from "./view.ts";

/** A vertebral edge. Edges can lie outside the film, since the network extends the column beyond its border. */
type EdgeMark = ScreenPoint & { readonly isOutside: boolean };

type ScreenSegment = { readonly from: ScreenPoint; readonly to: ScreenPoint };

/** A draft on the stage [CSS px]. */
export type Marks = {
  readonly heart: Readonly<Record<HeartPointName, ScreenPoint | null>>;
  /** Lines of the measures that have a line of their own. */
  readonly lines: readonly (ScreenSegment & { readonly measure: KnownMeasure })[];
  /** Rays on which the lines with a fixed direction may be drawn. */
  readonly guides: readonly (ScreenSegment & { readonly measure: KnownMeasure })[];
  readonly edges: readonly EdgeMark[];
  /** Edges A–B on which the score is read; later edges are drawn fainter. */
  readonly rulerEdges: readonly EdgeMark[];
  /** The line A–B, clipped to the film. */
  readonly rulerLines: readonly (readonly ScreenPoint[])[];
  /** Vertebrae whose centre is on the film, with their index in the ruler. */
  readonly vertebrae: readonly { readonly index: number; readonly at: ScreenPoint }[];
  readonly silhouette: Ellipse | null;
  /** Outline of the heart; empty if the axes are not derived from one. */
  readonly outline: readonly ScreenPoint[];
};

/**
 * Maps a draft and its ruler to the stage.
 *
 * @param frame   size of the image that the points refer to [px]
 * @param matrix  from these pixels to the stage
 */
export function marksOf(draft: Draft, rulerEdges: readonly Point[], frame: Size, matrix: Matrix): Marks {
  const edgeOn = (edge: Point): EdgeMark => ({ ...mapped(matrix, edge), isOutside: !isInPicture(edge, frame) });
  const middles = rulerEdges
    .slice(1)
    .map((edge, index) => ({ index, middle: interpolate(rulerEdges[index] as Point, edge, 0.5) }));
  const placed = heartOf(draft);
  const segment = ({ from, to }: Segment) => ({ from: mapped(matrix, from), to: mapped(matrix, to) });
  const own = (segmentOf: (measure: KnownMeasure, heart: PlacedHeart) => Segment | null) =>
    measures.flatMap((measure) => {
      const found = placed && segmentOf(measure, placed);
      return found ? [{ measure, ...segment(found) }] : [];
    });
  const heart = Object.fromEntries(
    heartPointNames.map((name) => {
      const point = draft.heart[name];
      return [name, point ? mapped(matrix, point) : null];
    }),
  ) as Marks["heart"];
  const { heart_top, heart_bottom, heart_right, heart_left } = heart;
  return {
    heart,
    lines: own((measure, points) => lineOfMeasure(measure, points, pointOfMeasure(measure, points))),
    guides: own(guideOf),
    edges: draft.edges.map(edgeOn),
    rulerEdges: rulerEdges.map(edgeOn),
    rulerLines: partsInPicture(rulerEdges, frame).map((line) => line.map((point) => mapped(matrix, point))),
    vertebrae: middles
      .filter(({ middle }) => isInPicture(middle, frame))
      .map(({ index, middle }) => ({ index, at: mapped(matrix, middle) })),
    silhouette:
      heart_top && heart_bottom && heart_right && heart_left
        ? heartEllipse({ heart_top, heart_bottom, heart_right, heart_left })
        : null,
    outline: (draft.outline ?? []).map((point) => mapped(matrix, point)),
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

/** Direction of the tick at an edge: perpendicular to the ruler, pointing away from the heart. */
export function rulerTick(edges: readonly ScreenPoint[], index: number, heart: ScreenPoint | null): ScreenPoint {
  const before = edges[Math.max(0, index - 1)] ?? { x: 0, y: 0 };
  const after = edges[Math.min(edges.length - 1, index + 1)] ?? { x: 1, y: 0 };
  const length = Math.hypot(after.x - before.x, after.y - before.y) || 1;
  const across = { x: -(after.y - before.y) / length, y: (after.x - before.x) / length };
  const at = edges[index] ?? before;
  const isTowardsHeart = heart !== null && across.x * (heart.x - at.x) + across.y * (heart.y - at.y) > 0;
  return isTowardsHeart ? { x: -across.x, y: -across.y } : across;
}

/** Minimum distance between vertebra names; if vertebrae are closer, some names are left out [CSS px]. */
const minNamePitchPx = 22;

/** Labels of an overlay: values at the ends of their lines, vertebra names along the ruler. */
export function labelsOf(marks: Marks, score: HeartScore | null, write: (value: number) => string): Label[] {
  const { heart, lines, silhouette, rulerEdges, vertebrae } = marks;
  const centre = silhouette?.centre ?? null;
  const labels: Label[] = [];
  const add = (id: string, text: string, at: ScreenPoint | null) => {
    if (at) labels.push({ id, text, at, away: centre ? { x: at.x - centre.x, y: at.y - centre.y } : { x: 0, y: -1 } });
  };
  const axes = score && shownAxes(score);
  if (axes?.long) add("long", `L ${write(axes.long)} v`, heart[labelledEnds.long]);
  if (axes?.short) add("short", `S ${write(axes.short)} v`, heart[labelledEnds.short]);
  for (const { measure, to } of lines) {
    const value = score?.[measure.name];
    if (value) add(measure.name, `${measure.label} ${write(value)} ${measure.unit}`, to);
  }
  const [first, second] = rulerEdges;
  const pitchPx = first && second ? distancePx(first, second) : minNamePitchPx;
  const every = Math.max(1, Math.ceil(minNamePitchPx / Math.max(1, pitchPx)));
  for (const { index, at } of vertebrae.filter((vertebra) => vertebra.index % every === 0))
    labels.push({ id: `edge-${index}`, text: vertebraName(index), at, away: rulerTick(rulerEdges, index, centre) });
  return labels;
}
