import { openFontBook, type TextWeight } from "./font-book.ts";

const book = openFontBook();

export function textWidthPx(text: string, sizePx: number, weight: TextWeight = 400): number {
  return book
    .runs(text, weight)
    .reduce((sum, { text, font }) => sum + (font.layout(text).advanceWidth * sizePx) / font.unitsPerEm, 0);
}

/** Converts a line of text to SVG path data, which is rendered identically on a computer without fonts. */
export function textOutline(text: string, x: number, y: number, sizePx: number, weight: TextWeight = 400): string {
  let pen = x;
  return book
    .runs(text, weight)
    .flatMap(({ text, font }) => {
      const scale = sizePx / font.unitsPerEm;
      const { glyphs, positions } = font.layout(text);
      return glyphs.map((glyph, index) => {
        const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {};
        const outline = glyph.path.scale(scale, -scale).translate(pen + xOffset * scale, y - yOffset * scale);
        pen += xAdvance * scale;
        return outline.toSVG();
      });
    })
    .join("");
}
