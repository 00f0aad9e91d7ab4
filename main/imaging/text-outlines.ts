import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype, { type Font } from "opentype.js";

/** Weights of the typeface that the program draws with. */
export type TextWeight = 400 | 600;

const require = createRequire(import.meta.url);
const fonts = new Map<TextWeight, Font>();

/** Width of a line of text [px]. */
export function textWidthPx(text: string, sizePx: number, weight: TextWeight = 400): number {
  return fontOf(weight).getAdvanceWidth(text, sizePx);
}

/**
 * Outline of a line of text as SVG path data, so that it looks the same on a machine without fonts.
 *
 * @param x  left end of the line, `y` its baseline [px]
 */
export function textOutline(text: string, x: number, y: number, sizePx: number, weight: TextWeight = 400): string {
  const path = fontOf(weight).getPath(text, x, y, sizePx);
  for (const command of path.commands) {
    for (const [name, value] of Object.entries(command))
      if (typeof value === "number") Object.assign(command, { [name]: withoutTrace(value) });
  }
  return path.toPathData(2);
}

/**
 * opentype.js writes NaN for coordinates less than a millionth past a whole number, and a path ends at its first NaN.
 */
function withoutTrace(value: number): number {
  return value - Math.floor(value) < 1e-6 ? Math.floor(value) : value;
}

function fontOf(weight: TextWeight): Font {
  const loaded = fonts.get(weight) ?? loadFont(weight);
  fonts.set(weight, loaded);
  return loaded;
}

function loadFont(weight: TextWeight): Font {
  const bytes = readFileSync(
    require.resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-${weight}-normal.woff`),
  );
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
}
