import type { ConfidenceTier } from "../../core/cardiac/confidence.ts";
import { roundScore } from "../../core/cardiac/heart-score.ts";
import { heartLandmarkNames } from "../../core/cardiac/landmarks.ts";
import { distancePx, interpolate, type Point } from "../../core/cardiac/points.ts";
import type { MeasuredRadiograph } from "../../core/cardiac/radiograph-measurement.ts";
import { vertebraName } from "../../core/cardiac/vertebra-name.ts";
import { placeLabels, type Box, type Ellipse, type LabelWish } from "../imaging/place-labels.ts";
import { textOutline, textWidthPx, type TextWeight } from "../imaging/text-outlines.ts";

/** Marks as in the viewer. */
const colours = { long: "#ffd479", short: "#79d6e6", ruler: "#d5dbe0", vlas: "#f4a0c0", halo: "#0b0e11", text: "#dde3e8", quiet: "#9aa8b3", panel: "#0c0f12", line: "#2a333b" } as const;
const tierColours: Record<ConfidenceTier, string> = { optimal: "#86cf9f", good: "#cfd27a", review: "#f0a869" };
const tierWords: Record<ConfidenceTier, string> = { optimal: "Optimal confidence", good: "Good confidence", review: "Review this measurement" };

/** Size of the drawn film and how many of its pixels a measured pixel takes. */
export type Canvas = { readonly width: number; readonly height: number; readonly scale: number };

/** Height of the strip of scores under a film of this width [px]. */
export function panelHeightPx(widthPx: number): number {
  return Math.round(letterPx(widthPx) * 5.2);
}

/** The drawing as SVG, as large as the film and the strip under it. Letters are outlines: it needs no fonts. */
export function drawMeasurement(measurement: MeasuredRadiograph, canvas: Canvas): string {
  const { width, height } = canvas;
  const full = height + panelHeightPx(width);
  const parts = [drawMarks(measurement, canvas), drawLabels(measurement, canvas), drawPanel(measurement, canvas)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}">${parts.join("")}</svg>`;
}

function letterPx(widthPx: number): number {
  return Math.max(13, Math.min(22, widthPx / 50));
}

function toCanvas({ x, y }: Point, { scale }: Canvas): Point {
  return { x: (x + 0.5) * scale, y: (y + 0.5) * scale };
}

function drawMarks({ landmarks, ruler }: MeasuredRadiograph, canvas: Canvas): string {
  const at = (point: Point) => toCanvas(point, canvas);
  const thin = Math.max(1.5, canvas.width / 600);
  const edges = ruler.edges.map(at);
  const tickPx = letterPx(canvas.width) * 0.6;
  const ticks = edges.map((edge, index) => tickAcross(edge, columnDirection(edges, index), index === 0 || index === edges.length - 1 ? tickPx * 1.8 : tickPx));
  const points = heartLandmarkNames.map((name) => circle(at(landmarks[name]), thin * 2.4, name === "VLAS" ? colours.vlas : isLong(name) ? colours.long : colours.short, thin));
  return [
    polyline(edges, colours.ruler, thin),
    ...ticks.map((tick) => polyline(tick, colours.ruler, thin * 1.3)),
    polyline([at(landmarks.heart_right), at(landmarks.heart_left)], colours.short, thin),
    polyline([at(landmarks.heart_top), at(landmarks.heart_bottom)], colours.long, thin),
    polyline([at(landmarks.heart_top), at(landmarks.VLAS)], colours.vlas, thin, ` stroke-dasharray="${thin * 3} ${thin * 2}"`),
    ...points,
  ].join("");
}

function isLong(name: string): boolean {
  return name === "heart_top" || name === "heart_bottom";
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

type Label = LabelWish & { readonly text: string; readonly colour: string; readonly sizePx: number; readonly weight: TextWeight };

/** Values at the ends of their axes and names at their vertebrae, all outside the heart. */
function drawLabels(measurement: MeasuredRadiograph, canvas: Canvas): string {
  const labels = [...axisLabels(measurement, canvas), ...vertebraLabels(measurement, canvas)];
  const boxes = placeLabels(labels, heartEllipse(measurement, canvas), canvas);
  return labels.map((label, index) => (boxes[index] ? haloText(label, boxes[index]) : "")).join("");
}

function axisLabels({ landmarks, score }: MeasuredRadiograph, canvas: Canvas): Label[] {
  const { centre } = heartEllipse({ landmarks }, canvas);
  const sizePx = letterPx(canvas.width);
  const label = (text: string, value: number | null, from: Point, colour: string): Label[] => {
    const anchor = toCanvas(from, canvas);
    const words = value === null ? text : `${text} ${value.toFixed(1)} v`;
    return [{ text: words, colour, sizePx, weight: 600, anchor, direction: { x: anchor.x - centre.x, y: anchor.y - centre.y }, width: textWidthPx(words, sizePx, 600), height: sizePx * 1.25 }];
  };
  return [
    ...label("Long", score.longAxisVertebrae, landmarks.heart_bottom, colours.long),
    ...label("Short", score.shortAxisVertebrae, landmarks.heart_right, colours.short),
    ...label("VLAS", score.vlas, landmarks.VLAS, colours.vlas),
  ];
}

function vertebraLabels({ landmarks, ruler }: MeasuredRadiograph, canvas: Canvas): Label[] {
  const edges = ruler.edges.map((edge) => toCanvas(edge, canvas));
  const { centre } = heartEllipse({ landmarks }, canvas);
  const sizePx = letterPx(canvas.width) * 0.8;
  return edges.slice(1).map((edge, index) => {
    const body = interpolate(edges[index] as Point, edge, 0.5);
    const { x, y } = columnDirection(edges, index);
    const isHeartLeft = (centre.x - body.x) * -y + (centre.y - body.y) * x > 0;
    const direction = isHeartLeft ? { x: y, y: -x } : { x: -y, y: x };
    const text = vertebraName(index);
    return { text, colour: colours.ruler, sizePx, weight: 400 as const, anchor: body, direction, width: textWidthPx(text, sizePx), height: sizePx * 1.2 };
  });
}

/** The heart as its two axes tell it, a little larger. */
function heartEllipse({ landmarks }: Pick<MeasuredRadiograph, "landmarks">, canvas: Canvas): Ellipse {
  const [top, bottom, right, left] = (["heart_top", "heart_bottom", "heart_right", "heart_left"] as const).map((name) => toCanvas(landmarks[name], canvas)) as [Point, Point, Point, Point];
  const margin = 1.08;
  return {
    centre: interpolate(interpolate(top, bottom, 0.5), interpolate(right, left, 0.5), 0.5),
    halfLong: Math.max(1, (distancePx(top, bottom) / 2) * margin),
    halfShort: Math.max(1, (distancePx(right, left) / 2) * margin),
    angleRad: Math.atan2(bottom.y - top.y, bottom.x - top.x),
  };
}

function drawPanel(measurement: MeasuredRadiograph, { width, height }: Canvas): string {
  const letter = letterPx(width);
  const margin = letter;
  const base = height + letter * 2.3;
  const { score, tier, spread, sharpness, provenance, popDetected, ruler } = measurement;
  const shown = (value: number | null) => roundScore(value)?.toFixed(2) ?? "–";
  const vhs = [span("VHS", colours.quiet, letter, 400), span(shown(score.vhs), colours.text, letter * 1.9, 600), span("v", colours.quiet, letter, 400)];
  const vlas = [span("VLAS", colours.quiet, letter, 400), span(shown(score.vlas), colours.text, letter * 1.9, 600), span("v", colours.quiet, letter, 400)];
  const quality = spread === null ? `sharpness ${sharpness.toFixed(2)}` : `spread ${spread.toFixed(4)}`;
  const how = [quality, popDetected ? "photograph of a screen" : null, ruler.kind === "fallback" ? "ruler in equal parts" : null].filter((part) => part !== null).join(", ");
  const source = `Corvet ${provenance.programVersion}, ${provenance.packName} ${provenance.packVersion}. Not clinically validated.`;
  const left = line([...vhs, gap(letter * 1.2), ...vlas], margin, base);
  const right = line([span(tierWords[tier], tierColours[tier], letter, 600), gap(letter * 0.3), span(`(${how})`, colours.quiet, letter * 0.85, 400)], Math.max(left.end + letter * 2, 0), base);
  return [
    `<rect x="0" y="${height}" width="${width}" height="${panelHeightPx(width)}" fill="${colours.panel}"/>`,
    `<rect x="0" y="${height}" width="${width}" height="1" fill="${colours.line}"/>`,
    left.svg,
    right.svg,
    line([span(source, colours.quiet, letter * 0.8, 400)], margin, height + letter * 4.3).svg,
  ].join("");
}

type Span = { readonly text: string; readonly colour: string; readonly sizePx: number; readonly weight: TextWeight };

function span(text: string, colour: string, sizePx: number, weight: TextWeight): Span {
  return { text, colour, sizePx, weight };
}

function gap(sizePx: number): Span {
  return span("", colours.text, sizePx, 400);
}

/** Words of different sizes on one baseline. */
function line(spans: readonly Span[], x: number, baseline: number): { svg: string; end: number } {
  let at = x;
  let svg = "";
  for (const { text, colour, sizePx, weight } of spans) {
    if (text !== "") svg += `<path d="${textOutline(text, at, baseline, sizePx, weight)}" fill="${colour}"/>`;
    at += text === "" ? sizePx : textWidthPx(text, sizePx, weight) + Math.min(8, sizePx * 0.35);
  }
  return { svg, end: at };
}

function haloText({ text, colour, sizePx, weight }: Label, box: Box): string {
  const outline = textOutline(text, box.x, box.y + box.height * 0.8, sizePx, weight);
  return `<path d="${outline}" fill="none" stroke="${colours.halo}" stroke-width="${sizePx * 0.22}" stroke-linejoin="round" opacity="0.85"/><path d="${outline}" fill="${colour}"/>`;
}

function polyline(points: readonly Point[], colour: string, widthPx: number, extra = ""): string {
  const d = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");
  const halo = `<path d="${d}" fill="none" stroke="${colours.halo}" stroke-width="${widthPx * 2.4}" stroke-linecap="round" stroke-linejoin="round" opacity="0.55"/>`;
  return `${halo}<path d="${d}" fill="none" stroke="${colour}" stroke-width="${widthPx}" stroke-linecap="round" stroke-linejoin="round"${extra}/>`;
}

function circle({ x, y }: Point, radiusPx: number, colour: string, widthPx: number): string {
  return `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${radiusPx}" fill="${colours.halo}" stroke="${colour}" stroke-width="${widthPx}"/>`;
}
