/** The parts of fontkit in use; pdfkit accepts its fonts directly. The package has no types. */
declare module "fontkit" {
  export type Font = {
    readonly postscriptName: string;
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    /** Lays out a line of text with kerning; lengths are in font units. */
    layout(text: string): GlyphRun;
  };
  type GlyphRun = {
    readonly glyphs: readonly { readonly path: Path }[];
    readonly positions: readonly { readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }[];
    readonly advanceWidth: number;
  };
  type Path = {
    scale(x: number, y: number): Path;
    translate(x: number, y: number): Path;
    /** Path data, two decimals. */
    toSVG(): string;
  };
  export function create(bytes: Uint8Array): Font | { readonly fonts: readonly Font[] };
}
