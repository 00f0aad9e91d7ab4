import { axisLandmarkNames, type AxisName } from "../../../core/cardiac/landmarks.ts";
import type { HeartScore } from "../../../core/cardiac/heart-score.ts";
import { placeLabels } from "../../../core/cardiac/drawing/place-labels.ts";
import {
  markLabels,
  placeMarks,
  rulerTicks,
  type MarkLabel,
  type PlacedMarks,
} from "../../../core/cardiac/drawing/placed-marks.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { measures } from "../../../core/cardiac/measures/measures.ts";
import type { PlacedHeart } from "../../../core/cardiac/measures/placed-heart.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";
import type { VertebralRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import { shownDecimals, shownScore } from "../../../core/cardiac/shown-score.ts";
import { textWidthPx } from "../../imaging/text/text-outlines.ts";
import { circle, haloText, letterPx, polyline } from "./svg-marks.ts";

/** The same colours as in the viewer. */
const colours = { long: "#ffd479", short: "#79d6e6", ruler: "#d5dbe0" } as const;

/** Points in pixels of the measured film. */
export type DrawnMeasurement = {
  readonly heart: PlacedHeart;
  readonly ruler: VertebralRuler;
  readonly score: HeartScore;
  /** English by default. */
  readonly names?: AxisNames;
  readonly paper?: PaperMarks;
};
/** Minimum sizes for print and photocopies [px]; the short axis is dashed. */
export type PaperMarks = { readonly letterPx: number; readonly linePx: number };
export type AxisNames = { readonly long: string; readonly short: string; readonly decimalSign?: string };

/** `scale`: pixels per measured pixel. */
export type Canvas = { readonly width: number; readonly height: number; readonly scale: number };

/** Draws the content of an SVG in canvas size. */
export function drawMeasurement(drawn: DrawnMeasurement, canvas: Canvas): string {
  const { width, height, scale } = canvas;
  const film = { widthPx: width / scale, heightPx: height / scale };
  const marks = placeMarks({ heart: drawn.heart, rulerEdges: drawn.ruler.edges }, film, pointOn(canvas));
  return drawMarks(marks, drawn, canvas) + drawLabels(marks, drawn, canvas);
}

function pointOn({ scale }: Canvas) {
  return ({ x, y }: Point): Point => ({ x: (x + 0.5) * scale, y: (y + 0.5) * scale });
}

function drawMarks(marks: PlacedMarks, { heart, paper }: DrawnMeasurement, canvas: Canvas): string {
  const at = pointOn(canvas);
  const thin = Math.max(1.5, canvas.width / 600, paper?.linePx ?? 0);
  const ticks = rulerTicks(marks.rulerEdges, Math.max(letterPx(canvas.width) * 0.6, 4 * thin));
  const lines = marks.lines.flatMap(({ measure, ...ends }) => (measure.line ? [{ ...measure.line, ...ends }] : []));
  const points = [
    ...axisLandmarkNames.map((name) => ({ at: at(heart[name]), colour: axisColour(name) })),
    ...lines.map(({ to, colour }) => ({ at: to, colour })),
  ];
  return [
    ...marks.rulerLines.map((line) => polyline(line, colours.ruler, thin)),
    ...ticks.map(({ from, to }) => polyline([from, to], colours.ruler, thin * 1.3)),
    polyline([at(heart.heart_right), at(heart.heart_left)], colours.short, thin, paper ? dashed([6, 3], thin) : ""),
    polyline([at(heart.heart_top), at(heart.heart_bottom)], colours.long, thin),
    ...lines.map(({ from, to, colour, dash }) => polyline([from, to], colour, thin, dashed(dash, thin))),
    ...points.map((point) => circle(point.at, thin * 2.4, point.colour, thin)),
  ].join("");
}

function dashed(dash: readonly number[], thin: number): string {
  return ` stroke-dasharray="${dash.map((part) => part * thin).join(" ")}"`;
}

function axisColour(name: AxisName): string {
  return name === "heart_top" || name === "heart_bottom" ? colours.long : colours.short;
}

/** Minimum distance between names of vertebrae, in widths of a name. */
const nameSpacing = 1.25;

const englishNames: AxisNames = { long: "Long", short: "Short" };

function drawLabels(
  marks: PlacedMarks,
  { score, names = englishNames, paper }: DrawnMeasurement,
  { width, height }: Canvas,
): string {
  const write = (value: number) =>
    shownScore(value)
      .toFixed(shownDecimals)
      .replace(".", names.decimalSign ?? ".");
  const lettersOf = (isVertebra: boolean) =>
    ({
      sizePx: Math.max(letterPx(width) * (isVertebra ? 0.8 : 1), paper?.letterPx ?? 0),
      weight: isVertebra ? 400 : 600,
    }) as const;
  const nameLetters = lettersOf(true);
  const namePitchPx = textWidthPx(vertebraName(0), nameLetters.sizePx, nameLetters.weight) * nameSpacing;
  const labels = markLabels(marks, score, { names, write, namePitchPx }).map((label) => {
    const isVertebra = label.id.startsWith("edge");
    const { sizePx, weight } = lettersOf(isVertebra);
    const widthPx = textWidthPx(label.text, sizePx, weight);
    return {
      ...label,
      colour: colourOf(label),
      sizePx,
      weight,
      widthPx,
      heightPx: sizePx * (isVertebra ? 1.2 : 1.25),
    } as const;
  });
  return placeLabels(labels, marks.silhouette, { widthPx: width, heightPx: height })
    .map((label) => haloText(label, label))
    .join("");
}

function colourOf({ id }: MarkLabel): string {
  if (id === "long" || id === "short") return colours[id];
  return measures.find(({ name }) => name === id)?.line?.colour ?? colours.ruler;
}
