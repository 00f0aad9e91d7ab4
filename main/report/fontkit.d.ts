/** What of fontkit is used: pdfkit takes its fonts as they are. It brings no types of its own. */
declare module "fontkit" {
  export type Font = { readonly postscriptName: string; hasGlyphForCodePoint(codePoint: number): boolean };
  /** A file may hold several fonts. */
  export function create(bytes: Uint8Array): Font | { readonly fonts: readonly Font[] };
}
