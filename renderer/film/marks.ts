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

/** A vertebral edge; the network follows the column past the border of the film. */
type EdgeMark = ScreenPoint & { readonly isOutside: boolean };

type ScreenSegment = { readonly from: ScreenPoint; readonly to: ScreenPoint };

/** A draft on the stage [CSS px]. */
export type Marks = {
  readonly heart: Readonly<Record<HeartPointName, ScreenPoint | null>>;
  /** Lines that measures of their own are read on. */
  readonly lines: readonly (ScreenSegment & { readonly measure: KnownMeasure })[];
  /** Where the lines that are bound to a direction may be drawn out to. */
  readonly guides: readonly (ScreenSegment & { readonly measure: KnownMeasure })[];
  readonly edges: readonly EdgeMark[];
  /** Edges A–B on which the score is read; the ones after them are drawn fainter. */
  readonly rulerEdges: readonly EdgeMark[];
  /** The line A–B, clipped to the film. */
  readonly rulerLines: readonly (readonly ScreenPoint[])[];
  /** Vertebrae whose middle is on the film, with their index in the ruler. */
  readonly vertebrae: readonly { readonly index: number; readonly at: ScreenPoint }[];
  readonly silhouette: Ellipse | null;
  /** The heart's outline; empty where the axes rest on none. */
  readonly outline: readonly ScreenPoint[];
};

/**
 * Moves a draft and its ruler onto the stage.
 *
 * @param frame   size of the film that the points refer to [px]
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

/** From where a bound line starts, as far as half the long axis. */
function guideOf(measure: KnownMeasure, heart: PlacedHeart): Segment | null {
  const from = pointOfMeasure(measure, heart) && measure.line?.from(heart);
  const direction = measure.line?.direction?.(heart);
  if (!from || !direction) return null;
  const reachPx = distancePx(heart.heart_top, heart.heart_bottom) / 2;
  return { from, to: { x: from.x + direction.x * reachPx, y: from.y + direction.y * reachPx } };
}

/** A tick across the ruler at one edge: the direction across the column there, on the side away from the heart. */
export function acrossRuler(edges: readonly ScreenPoint[], index: number, heart: ScreenPoint | null): ScreenPoint {
  const before = edges[Math.max(0, index - 1)] ?? { x: 0, y: 0 };
  const after = edges[Math.min(edges.length - 1, index + 1)] ?? { x: 1, y: 0 };
  const length = Math.hypot(after.x - before.x, after.y - before.y) || 1;
  const across = { x: -(after.y - before.y) / length, y: (after.x - before.x) / length };
  const at = edges[index] ?? before;
  const isTowardsHeart = heart !== null && across.x * (heart.x - at.x) + across.y * (heart.y - at.y) > 0;
  return isTowardsHeart ? { x: -across.x, y: -across.y } : across;
}

/** Least distance between named vertebrae; closer ones leave names out, as on a whole-body film [CSS px]. */
const leastNamePitchPx = 22;

/** The texts of an overlay: values at the ends of their lines, vertebrae along the ruler. */
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
  const pitchPx = first && second ? distancePx(first, second) : leastNamePitchPx;
  const every = Math.max(1, Math.ceil(leastNamePitchPx / Math.max(1, pitchPx)));
  for (const { index, at } of vertebrae.filter((vertebra) => vertebra.index % every === 0))
    labels.push({ id: `edge-${index}`, text: vertebraName(index), at, away: acrossRuler(rulerEdges, index, centre) });
  return labels;
}
