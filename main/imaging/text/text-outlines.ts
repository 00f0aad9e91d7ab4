import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as fontkit from "fontkit";
import { unpackedFont } from "./unpacked-font.ts";

/** Weights of the typeface that the program draws with. */
export type TextWeight = 400 | 600;

const require = createRequire(import.meta.url);
const fonts = new Map<TextWeight, fontkit.Font>();

/** Width of a line of text [px]. */
export function textWidthPx(text: string, sizePx: number, weight: TextWeight = 400): number {
  const font = fontOf(weight);
  return (font.layout(text).advanceWidth * sizePx) / font.unitsPerEm;
}

/**
 * Outline of a line of text as SVG path data, so that it looks the same on a machine without fonts.
 *
 * @param x  left end of the line, `y` its baseline [px]
 */
export function textOutline(text: string, x: number, y: number, sizePx: number, weight: TextWeight = 400): string {
  const font = fontOf(weight);
  const scale = sizePx / font.unitsPerEm;
  const { glyphs, positions } = font.layout(text);
  let pen = x;
  return glyphs
    .map((glyph, index) => {
      const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {};
      const outline = glyph.path.scale(scale, -scale).translate(pen + xOffset * scale, y - yOffset * scale);
      pen += xAdvance * scale;
      return outline.toSVG();
    })
    .join("");
}

function fontOf(weight: TextWeight): fontkit.Font {
  const loaded = fonts.get(weight) ?? loadFont(weight);
  fonts.set(weight, loaded);
  return loaded;
}

/** The library is loaded with the first font: the start of the program draws nothing. */
function loadFont(weight: TextWeight): fontkit.Font {
  const { create } = require("fontkit") as typeof fontkit;
  const file = require.resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-${weight}-normal.woff`);
  return create(unpackedFont(readFileSync(file))) as fontkit.Font;
}
