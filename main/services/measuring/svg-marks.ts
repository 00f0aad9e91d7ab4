import type { Box } from "../../../core/cardiac/drawing/place-labels.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { textOutline } from "../../imaging/text/text-outlines.ts";
import type { TextWeight } from "../../imaging/text/font-book.ts";

const haloColour = "#0b0e11";

/** Letters are outlines and need no fonts. */
export type DrawnText = {
  readonly text: string;
  readonly colour: string;
  readonly sizePx: number;
  readonly weight: TextWeight;
};

export function letterPx(widthPx: number): number {
  return Math.max(13, Math.min(22, widthPx / 50));
}

/** The baseline is the bottom of the box. */
export function haloText({ text, colour, sizePx, weight }: DrawnText, box: Pick<Box, "x" | "y" | "heightPx">): string {
  const outline = textOutline(text, box.x, box.y + box.heightPx * 0.8, sizePx, weight);
  return `<path d="${outline}" fill="none" stroke="${haloColour}" stroke-width="${sizePx * 0.22}" stroke-linejoin="round" opacity="0.85"/><path d="${outline}" fill="${colour}"/>`;
}

export function polyline(points: readonly Point[], colour: string, widthPx: number, extra = ""): string {
  const d = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");
  const halo = `<path d="${d}" fill="none" stroke="${haloColour}" stroke-width="${widthPx * 2.4}" stroke-linecap="round" stroke-linejoin="round" opacity="0.55"/>`;
  return `${halo}<path d="${d}" fill="none" stroke="${colour}" stroke-width="${widthPx}" stroke-linecap="round" stroke-linejoin="round"${extra}/>`;
}

export function circle({ x, y }: Point, radiusPx: number, colour: string, widthPx: number): string {
  return `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${radiusPx}" fill="${haloColour}" stroke="${colour}" stroke-width="${widthPx}"/>`;
}
