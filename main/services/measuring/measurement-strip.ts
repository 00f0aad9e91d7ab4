import type { ConfidenceTier } from "../../../core/cardiac/confidence.ts";
import type { HeartScore } from "../../../core/cardiac/heart-score.ts";
import type { KnownMeasure } from "../../../core/cardiac/measures/measures.ts";
import { shownMeasures } from "../../../core/cardiac/measures/read-measures.ts";
import { shownDecimals, shownScore, shownSpread, spreadDecimals } from "../../../core/cardiac/shown-score.ts";
import type { Provenance } from "../../../core/cardiac/verdict/provenance.ts";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import { sayIn } from "../../../core/language/say.ts";
import { textOutline, textWidthPx } from "../../imaging/text/text-outlines.ts";
import type { TextWeight } from "../../imaging/text/font-book.ts";
import { letterPx } from "./svg-marks.ts";

const colours = { text: "#dde3e8", quiet: "#9aa8b3", panel: "#0c0f12", line: "#2a333b" } as const;
const tierColours: Record<ConfidenceTier, string> = { optimal: "#86cf9f", good: "#cfd27a", review: "#f0a869" };
const tierWords: Record<ConfidenceTier, string> = {
  optimal: "Optimal confidence",
  good: "Good confidence",
  review: "Review this measurement",
};

export type Strip = {
  readonly score: HeartScore;
  /** Confidence tier, or the user who signed the values. */
  readonly standing: { readonly words: string; readonly colour: string };
  readonly how: string;
  readonly notes: readonly string[];
  readonly source: string;
};

export function stripHeightPx(strip: Strip, widthPx: number): number {
  const letter = letterPx(widthPx);
  const furtherLines = noteLines(strip, widthPx).length + sourceLines(strip, widthPx).length - 1;
  return Math.round(letter * 5.2 + belowPx(strip, widthPx) + furtherLines * letter * lineLeading);
}

/** For the API, without notes. */
export function stripOf({ score, tier, spread, sharpness, provenance, popDetected, ruler }: MeasuredRadiograph): Strip {
  const quality = spread === null ? `sharpness ${sharpness.toFixed(2)}` : spreadWords(spread);
  const how = [
    quality,
    popDetected ? "photograph of a screen" : null,
    ruler.kind === "fallback" ? "ruler in equal parts" : null,
  ].filter((part) => part !== null);
  return { score, standing: tierStanding(tier), how: how.join(", "), notes: [], source: sourceWords(provenance) };
}

export function spreadWords(spread: number): string {
  return `spread ${shownSpread(spread).toFixed(spreadDecimals)}`;
}

export function tierStanding(tier: ConfidenceTier): Strip["standing"] {
  return { words: tierWords[tier], colour: tierColours[tier] };
}

export function sourceWords(provenance: Provenance): string {
  const { programVersion, packName, packVersion } = provenance;
  return [`Corvet ${programVersion}, ${packName} ${packVersion}`, ...validationWords(provenance)]
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

function validationWords({ isClinicallyValidated, release }: Provenance): readonly string[] {
  if (!isClinicallyValidated) return ["Not clinically validated"];
  if (!release) return [];
  return [sayIn("en")("settings.packReleased", { person: release.releasedBy, publisher: release.publisher })];
}

/** Draws the content of an SVG, downwards from `top`. */
export function drawStrip(strip: Strip, { width, top }: { readonly width: number; readonly top: number }): string {
  const letter = letterPx(width);
  const base = top + letter * 2.3;
  const below = belowPx(strip, width);
  const left = line(valuesOfStrip(strip, letter), letter, base);
  const standing = line(standingOfStrip(strip, letter), below > 0 ? letter : left.end + letter * 2, base + below);
  const notes = noteLines(strip, width);
  const noteBase = (index: number) => top + below + letter * (3.9 + index * lineLeading);
  const sourceBase = (index: number) => top + below + letter * (4.3 + (notes.length + index) * lineLeading);
  return [
    `<rect x="0" y="${top}" width="${width}" height="${stripHeightPx(strip, width)}" fill="${colours.panel}"/>`,
    `<rect x="0" y="${top}" width="${width}" height="1" fill="${colours.line}"/>`,
    left.svg,
    standing.svg,
    ...notes.map(
      (text, index) => line([span(text, colours.text, letter * noteSize, 400)], letter, noteBase(index)).svg,
    ),
    ...sourceLines(strip, width).map(
      (text, index) => line([span(text, colours.quiet, letter * sourceSize, 400)], letter, sourceBase(index)).svg,
    ),
  ].join("");
}

/** Vertical offset of the standing if it does not fit in the line of the values, else 0 [px]. */
function belowPx(strip: Strip, widthPx: number): number {
  const letter = letterPx(widthPx);
  const values = line(valuesOfStrip(strip, letter), letter, 0);
  const { end } = line(standingOfStrip(strip, letter), values.end + letter * 2, 0);
  return end <= widthPx ? 0 : letter * 1.6;
}

function valuesOfStrip({ score }: Strip, letter: number): Span[] {
  return shownMeasures(score).flatMap((measure, index) => [
    ...(index === 0 ? [] : [gap(letter * 1.2)]),
    ...valueSpans(measure, score[measure.name] ?? null, letter),
  ]);
}

function standingOfStrip({ standing, how }: Strip, letter: number): Span[] {
  return [
    span(standing.words, standing.colour, letter, 600),
    gap(letter * 0.3),
    ...(how === "" ? [] : [span(`(${how})`, colours.quiet, letter * 0.85, 400)]),
  ];
}

/** Relative to the strip's letters. */
const [noteSize, sourceSize, lineLeading] = [0.85, 0.8, 1.3];

function noteLines({ notes }: Strip, widthPx: number): readonly string[] {
  return notes.flatMap((note) => linesOf(note, noteSize, widthPx));
}

function sourceLines({ source }: Strip, widthPx: number): readonly string[] {
  return linesOf(source, sourceSize, widthPx);
}

function linesOf(text: string, size: number, widthPx: number): readonly string[] {
  const letter = letterPx(widthPx);
  const fits = (line: string) => textWidthPx(line, letter * size) <= widthPx - 2 * letter;
  return text.split(" ").reduce<string[]>((lines, word) => {
    const longer = [...lines.slice(-1), word].join(" ");
    return lines.length > 0 && fits(longer) ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
}

type Span = { readonly text: string; readonly colour: string; readonly sizePx: number; readonly weight: TextWeight };

function valueSpans({ label, unit }: KnownMeasure, value: number | null, letter: number): Span[] {
  return [
    span(label, colours.quiet, letter, 400),
    span(shownScore(value)?.toFixed(shownDecimals) ?? "–", colours.text, letter * 1.9, 600),
    span(unit, colours.quiet, letter, 400),
  ];
}

function span(text: string, colour: string, sizePx: number, weight: TextWeight): Span {
  return { text, colour, sizePx, weight };
}

function gap(sizePx: number): Span {
  return span("", colours.text, sizePx, 400);
}

function line(spans: readonly Span[], x: number, baseline: number): { svg: string; end: number } {
  let at = x;
  let svg = "";
  for (const { text, colour, sizePx, weight } of spans) {
    if (text !== "") svg += `<path d="${textOutline(text, at, baseline, sizePx, weight)}" fill="${colour}"/>`;
    at += text === "" ? sizePx : textWidthPx(text, sizePx, weight) + Math.min(8, sizePx * 0.35);
  }
  return { svg, end: at };
}
