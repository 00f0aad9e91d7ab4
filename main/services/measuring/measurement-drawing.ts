import { axisLandmarkNames, type AxisName } from "../../../core/cardiac/landmarks.ts";
import type { HeartScore } from "../../../core/cardiac/heart-score.ts";
import {
  heartEllipse,
  labelledEnds,
  placeLabels,
  type Ellipse,
  type LabelWish,
} from "../../../core/cardiac/drawing/place-labels.ts";
import { distancePx, interpolate, type PictureSize, type Point } from "../../../core/cardiac/points.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import type { PlacedHeart } from "../../../core/cardiac/measures/placed-heart.ts";
import { lineOfMeasure, pointOfMeasure } from "../../../core/cardiac/measures/read-measures.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";
import type { VertebralRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import { shownAxes, shownDecimals, shownScore } from "../../../core/cardiac/shown-score.ts";
import { isInPicture, partsInPicture } from "../../../core/cardiac/drawing/within-picture.ts";
import { textWidthPx } from "../../imaging/text/text-outlines.ts";
import { circle, haloText, letterPx, polyline, type DrawnText } from "./svg-marks.ts";

/** The same colours as in the viewer. */
const colours = { long: "#ffd479", short: "#79d6e6", ruler: "#d5dbe0" } as const;

/** Marks drawn on a film, placed by the networks or a user; points in pixels of the measured film. */
export type DrawnMeasurement = {
  readonly heart: PlacedHeart;
  readonly ruler: VertebralRuler;
  readonly score: HeartScore;
  /** Labels of the axes; English by default. */
  readonly names?: AxisNames;
  readonly paper?: PaperMarks;
};
/** Minimum sizes for print and photocopies [px]; the short axis is dashed. */
export type PaperMarks = { readonly letterPx: number; readonly linePx: number };
export type AxisNames = { readonly long: string; readonly short: string; readonly decimalSign?: string };

/** Size of the drawn film, and its pixels per measured pixel. */
export type Canvas = { readonly width: number; readonly height: number; readonly scale: number };

/**
 * Draws axes, landmarks, ruler and their names as the content of an SVG in canvas size. Letters are outlines and need
 * no fonts.
 */
export function drawMeasurement(drawn: DrawnMeasurement, canvas: Canvas): string {
  return drawMarks(drawn, canvas) + drawLabels(drawn, canvas);
}

function toCanvas({ x, y }: Point, { scale }: Canvas): Point {
  return { x: (x + 0.5) * scale, y: (y + 0.5) * scale };
}

function filmOf({ width, height, scale }: Canvas): PictureSize {
  return { widthPx: width / scale, heightPx: height / scale };
}

function drawMarks({ heart, ruler, paper }: DrawnMeasurement, canvas: Canvas): string {
  const at = (point: Point) => toCanvas(point, canvas);
  const thin = Math.max(1.5, canvas.width / 600, paper?.linePx ?? 0);
  const edges = ruler.edges.map(at);
  const film = filmOf(canvas);
  const tickPx = Math.max(letterPx(canvas.width) * 0.6, 4 * thin);
  const ticks = edges.flatMap((edge, index) => {
    if (!isInPicture(ruler.edges[index] as Point, film)) return [];
    return [
      tickAcross(
        edge,
        columnDirection(edges, index),
        index === 0 || index === edges.length - 1 ? tickPx * 1.8 : tickPx,
      ),
    ];
  });
  const lines = ownLines(heart).map(({ measure, segment }) => ({ ...measure.line, ...segment }));
  const points = [
    ...axisLandmarkNames.map((name) => ({ at: heart[name], colour: axisColour(name) })),
    ...lines.map(({ to, colour }) => ({ at: to, colour })),
  ];
  return [
    ...partsInPicture(ruler.edges, film).map((line) => polyline(line.map(at), colours.ruler, thin)),
    ...ticks.map((tick) => polyline(tick, colours.ruler, thin * 1.3)),
    polyline([at(heart.heart_right), at(heart.heart_left)], colours.short, thin, paper ? dashed([6, 3], thin) : ""),
    polyline([at(heart.heart_top), at(heart.heart_bottom)], colours.long, thin),
    ...lines.map(({ from, to, colour, dash }) => polyline([at(from), at(to)], colour, thin, dashed(dash, thin))),
    ...points.map((point) => circle(at(point.at), thin * 2.4, point.colour, thin)),
  ].join("");
}

function dashed(dash: readonly number[], thin: number): string {
  return ` stroke-dasharray="${dash.map((part) => part * thin).join(" ")}"`;
}

/** Lines of placed measures other than the axes. */
function ownLines(heart: PlacedHeart) {
  return measures.flatMap((measure) => {
    const segment = lineOfMeasure(measure, heart, pointOfMeasure(measure, heart));
    return segment && measure.line ? [{ measure: { ...measure, line: measure.line }, segment }] : [];
  });
}

function axisColour(name: AxisName): string {
  return name === "heart_top" || name === "heart_bottom" ? colours.long : colours.short;
}

/** Direction of the column at an edge, from its neighbours. */
function columnDirection(edges: readonly Point[], index: number): Point {
  const before = edges[Math.max(0, index - 1)] as Point;
  const after = edges[Math.min(edges.length - 1, index + 1)] as Point;
  const length = distancePx(before, after) || 1;
  return { x: (after.x - before.x) / length, y: (after.y - before.y) / length };
}

function tickAcross(edge: Point, along: Point, halfPx: number): [Point, Point] {
  return [
    { x: edge.x - along.y * halfPx, y: edge.y + along.x * halfPx },
    { x: edge.x + along.y * halfPx, y: edge.y - along.x * halfPx },
  ];
}

type Label = LabelWish & DrawnText;

/** Draws values at the ends of their axes and names at their vertebrae, outside the heart. */
function drawLabels(drawn: DrawnMeasurement, canvas: Canvas): string {
  const labels = [...axisLabels(drawn, canvas), ...vertebraLabels(drawn, canvas)];
  const picture = { widthPx: canvas.width, heightPx: canvas.height };
  return placeLabels(labels, ellipseOn(drawn.heart, canvas), picture)
    .map((label) => haloText(label, label))
    .join("");
}

const englishNames: AxisNames = { long: "Long", short: "Short" };

function axisLabels({ heart, score, names = englishNames, paper }: DrawnMeasurement, canvas: Canvas): Label[] {
  const { centre } = ellipseOn(heart, canvas);
  const sizePx = Math.max(letterPx(canvas.width), paper?.letterPx ?? 0);
  const label = (text: string, value: number | null, from: Point, colour: string): Label[] => {
    const at = toCanvas(from, canvas);
    const words =
      value === null ? text : `${text} ${value.toFixed(shownDecimals).replace(".", names.decimalSign ?? ".")} v`;
    return [
      {
        text: words,
        colour,
        sizePx,
        weight: 600,
        at,
        away: { x: at.x - centre.x, y: at.y - centre.y },
        widthPx: textWidthPx(words, sizePx, 600),
        heightPx: sizePx * 1.25,
      },
    ];
  };
  const axes = shownAxes(score);
  return [
    ...label(names.long, axes.long, heart[labelledEnds.long], colours.long),
    ...label(names.short, axes.short, heart[labelledEnds.short], colours.short),
    ...ownLines(heart).flatMap(({ measure, segment }) =>
      label(measure.label, shownScore(score[measure.name] ?? null), segment.to, measure.line.colour),
    ),
  ];
}

function vertebraLabels({ heart, ruler, paper }: DrawnMeasurement, canvas: Canvas): Label[] {
  const edges = ruler.edges.map((edge) => toCanvas(edge, canvas));
  const { centre } = ellipseOn(heart, canvas);
  const sizePx = Math.max(letterPx(canvas.width) * 0.8, paper?.letterPx ?? 0);
  return edges.slice(1).flatMap((edge, index) => {
    if (!isInPicture(interpolate(ruler.edges[index] as Point, ruler.edges[index + 1] as Point, 0.5), filmOf(canvas)))
      return [];
    const body = interpolate(edges[index] as Point, edge, 0.5);
    const { x, y } = columnDirection(edges, index);
    const isHeartLeft = (centre.x - body.x) * -y + (centre.y - body.y) * x > 0;
    const text = vertebraName(index);
    return [
      {
        text,
        colour: colours.ruler,
        sizePx,
        weight: 400 as const,
        at: body,
        away: isHeartLeft ? { x: y, y: -x } : { x: -y, y: x },
        widthPx: textWidthPx(text, sizePx),
        heightPx: sizePx * 1.2,
      },
    ];
  });
}

function ellipseOn(heart: PlacedHeart, canvas: Canvas): Ellipse {
  const at = (name: AxisName) => toCanvas(heart[name], canvas);
  return heartEllipse({
    heart_top: at("heart_top"),
    heart_bottom: at("heart_bottom"),
    heart_right: at("heart_right"),
    heart_left: at("heart_left"),
  });
}
