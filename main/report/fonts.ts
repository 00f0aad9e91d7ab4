import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import { unpackedFont } from "../imaging/text/unpacked-font.ts";

/** Weights of the typeface. */
export type Weight = 400 | 600;

const require = createRequire(import.meta.url);
/** The typeface comes in one file per script. */
const scripts = ["latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext", "vietnamese"] as const;

/** Fonts of operating systems with the letters that the typeface has not: East Asian first. */
const systemFonts = [
  "C:\\Windows\\Fonts\\YuGothM.ttc",
  "C:\\Windows\\Fonts\\meiryo.ttc",
  "C:\\Windows\\Fonts\\msgothic.ttc",
  "C:\\Windows\\Fonts\\msyh.ttc",
  "C:\\Windows\\Fonts\\malgun.ttf",
  "C:\\Windows\\Fonts\\segoeui.ttf",
  "/System/Library/Fonts/ヒラギノ角ゴシック W3.ttc",
  "/System/Library/Fonts/Hiragino Sans GB.ttc",
  "/System/Library/Fonts/AppleSDGothicNeo.ttc",
  "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
  "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
  "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
  "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
  "/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf",
  "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
  "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
] as const;

/** Bytes of font files, read and unpacked once. */
const files = new Map<string, Buffer>();

/** Finds the font that has a letter. */
export type FontBook = {
  /**
   * The font that has a letter: the typeface's own file for its script, otherwise one of this computer.
   *
   * @returns null when no font has it
   */
  fontOf(codePoint: number, weight: Weight): Font | null;
};

/** The fonts of one document: a font remembers what was printed with it, so two documents cannot share it. */
export function openFontBook(): FontBook {
  const own: Record<Weight, readonly Font[] | null> = { 400: null, 600: null };
  let system: readonly Font[] | null = null;
  const known: Readonly<Record<Weight, Map<number, Font | null>>> = { 400: new Map(), 600: new Map() };
  const find = (codePoint: number, weight: Weight) => {
    const hasIt = (font: Font) => font.hasGlyphForCodePoint(codePoint);
    own[weight] ??= openOwn(weight);
    const found = own[weight].find(hasIt);
    if (found) return found;
    system ??= systemFonts.filter((file) => existsSync(file)).flatMap(openSystem);
    return system.find(hasIt) ?? null;
  };
  return {
    fontOf(codePoint, weight) {
      const before = known[weight].get(codePoint);
      if (before !== undefined) return before;
      const found = find(codePoint, weight);
      known[weight].set(codePoint, found);
      return found;
    },
  };
}

function openOwn(weight: Weight): readonly Font[] {
  return scripts.flatMap((script) =>
    opened(
      bytesOf(
        require.resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-${script}-${weight}-normal.woff`),
        unpackedFont,
      ),
    ),
  );
}

/** A font of the computer that cannot be read is as good as none. */
function openSystem(file: string): readonly Font[] {
  try {
    return opened(bytesOf(file, (bytes) => bytes)).slice(0, 1);
  } catch {
    return [];
  }
}

function bytesOf(file: string, unpack: (bytes: Buffer) => Buffer): Buffer {
  const bytes = files.get(file) ?? unpack(readFileSync(file));
  files.set(file, bytes);
  return bytes;
}

function opened(bytes: Uint8Array): readonly Font[] {
  const font = create(bytes);
  return "fonts" in font ? font.fonts : [font];
}
