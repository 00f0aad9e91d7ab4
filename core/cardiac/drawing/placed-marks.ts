import { distancePx, interpolate, type PictureSize, type Point } from "../points.ts";
import type { HeartScore } from "../heart-score.ts";
import { measures, type HeartPointName, type KnownMeasure, type MeasureName } from "../measures/measures.ts";
import { heartPointNames, placedHeart } from "../measures/placed-heart.ts";
import { lineOfMeasure, pointOfMeasure, type Segment } from "../measures/read-measures.ts";
import { vertebraName } from "../ruler/vertebra-name.ts";
import { shownAxes } from "../shown-score.ts";
import { heartEllipse, labelledEnds, type Ellipse } from "./place-labels.ts";
import { isInPicture, partsInPicture } from "./within-picture.ts";

/** A vertebral edge. Edges can lie outside the film, since the network extends the column beyond its border. */
export type EdgeMark = Point & { readonly isOutside: boolean };

/** Marks of a reading where they are drawn: on the stage of the page, or on an exported film. */
export type PlacedMarks = {
  readonly heart: Readonly<Record<HeartPointName, Point | null>>;
  readonly lines: readonly (Segment & { readonly measure: KnownMeasure })[];
  readonly rulerEdges: readonly EdgeMark[];
  /** The line A–B, clipped to the film. */
  readonly rulerLines: readonly (readonly Point[])[];
  /** Vertebrae whose centre is on the film, with their index in the ruler. */
  readonly vertebrae: readonly { readonly index: number; readonly at: Point }[];
  readonly silhouette: Ellipse | null;
};

/** Maps a reading's points, in pixels of `frame`, to where they are drawn. */
export function placeMarks(
  points: {
    readonly heart: { readonly [Name in HeartPointName]?: Point | null | undefined };
    readonly rulerEdges: readonly Point[];
  },
  frame: PictureSize,
  at: (point: Point) => Point,
): PlacedMarks {
  const { rulerEdges } = points;
  const placed = placedHeart((name) => points.heart[name]);
  const heart = Object.fromEntries(
    heartPointNames.map((name) => {
      const point = points.heart[name];
      return [name, point ? at(point) : null];
    }),
  ) as PlacedMarks["heart"];
  const { heart_top, heart_bottom, heart_right, heart_left } = heart;
  const middles = rulerEdges
    .slice(1)
    .map((edge, index) => ({ index, middle: interpolate(rulerEdges[index] as Point, edge, 0.5) }));
  return {
    heart,
    lines: measures.flatMap((measure) => {
      const line = placed && lineOfMeasure(measure, placed, pointOfMeasure(measure, placed));
      return line ? [{ measure, from: at(line.from), to: at(line.to) }] : [];
    }),
    rulerEdges: rulerEdges.map((edge) => edgeMark(edge, frame, at)),
    rulerLines: partsInPicture(rulerEdges, frame).map((line) => line.map(at)),
    vertebrae: middles
      .filter(({ middle }) => isInPicture(middle, frame))
      .map(({ index, middle }) => ({ index, at: at(middle) })),
    silhouette:
      heart_top && heart_bottom && heart_right && heart_left
        ? heartEllipse({ heart_top, heart_bottom, heart_right, heart_left })
        : null,
  };
}

export function edgeMark(edge: Point, frame: PictureSize, at: (point: Point) => Point): EdgeMark {
  return { ...at(edge), isOutside: !isInPicture(edge, frame) };
}

/** First and last tick of a ruler, relative to the others. */
const endTick = 1.75;

/** Ticks at the edges on the film, each `halfPx` long on either side of the ruler; those at the ends are longer. */
export function rulerTicks(edges: readonly EdgeMark[], halfPx: number): readonly Segment[] {
  return edges.flatMap((edge, index) => {
    if (edge.isOutside) return [];
    const across = acrossRuler(edges, index, null);
    const px = index === 0 || index === edges.length - 1 ? halfPx * endTick : halfPx;
    return [
      {
        from: { x: edge.x - across.x * px, y: edge.y - across.y * px },
        to: { x: edge.x + across.x * px, y: edge.y + across.y * px },
      },
    ];
  });
}

/** Direction perpendicular to the ruler at an edge, away from the heart; of unit length. */
function acrossRuler(edges: readonly Point[], index: number, heart: Point | null): Point {
  const before = edges[Math.max(0, index - 1)] ?? { x: 0, y: 0 };
  const after = edges[Math.min(edges.length - 1, index + 1)] ?? { x: 1, y: 0 };
  const length = distancePx(before, after) || 1;
  const across = { x: -(after.y - before.y) / length, y: (after.x - before.x) / length };
  const at = edges[index] ?? before;
  const isTowardsHeart = heart !== null && across.x * (heart.x - at.x) + across.y * (heart.y - at.y) > 0;
  return isTowardsHeart ? { x: -across.x, y: -across.y } : across;
}

export type MarkLabel = {
  /** The line that the value belongs to, or the vertebra that is named. */
  readonly id: "long" | "short" | MeasureName | `edge-${number}`;
  readonly text: string;
  readonly at: Point;
  /** Preferred direction, of any length. */
  readonly away: Point;
  /** Set for names of vertebrae, which may not stand next to another vertebra. */
  readonly isAligned?: boolean;
};

type LabelStyle = {
  readonly names: { readonly long: string; readonly short: string };
  readonly write: (value: number) => string;
  /** Minimum distance between vertebra names; if vertebrae are closer, some names are left out. */
  readonly namePitchPx: number;
};

export function markLabels(
  { heart, lines, silhouette, rulerEdges, vertebrae }: PlacedMarks,
  score: HeartScore | null,
  { names, write, namePitchPx }: LabelStyle,
): readonly MarkLabel[] {
  const centre = silhouette?.centre ?? null;
  const valueAt = (id: MarkLabel["id"], text: string, at: Point | null): MarkLabel[] =>
    at ? [{ id, text, at, away: centre ? { x: at.x - centre.x, y: at.y - centre.y } : { x: 0, y: -1 } }] : [];
  const axes = score && shownAxes(score);
  const [first, second] = rulerEdges;
  const pitchPx = first && second ? distancePx(first, second) : namePitchPx;
  const every = Math.max(1, Math.ceil(namePitchPx / Math.max(1, pitchPx)));
  return [
    ...(axes?.long ? valueAt("long", `${names.long} ${write(axes.long)} v`, heart[labelledEnds.long]) : []),
    ...(axes?.short ? valueAt("short", `${names.short} ${write(axes.short)} v`, heart[labelledEnds.short]) : []),
    ...lines.flatMap(({ measure, to }) => {
      const value = score?.[measure.name];
      return value ? valueAt(measure.name, `${measure.label} ${write(value)} ${measure.unit}`, to) : [];
    }),
    ...vertebrae
      .filter(({ index }) => index % every === 0)
      .map(({ index, at }) => ({
        id: `edge-${index}` as const,
        text: vertebraName(index),
        at,
        away: acrossRuler(rulerEdges, index, centre),
        isAligned: true,
      })),
  ];
}
