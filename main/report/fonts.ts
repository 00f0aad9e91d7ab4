import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import { unpackedFont } from "./unpacked-font.ts";

/** Weights of the typeface. */
export type Weight = 400 | 600;

const require = createRequire(import.meta.url);
/** The typeface comes in one file per script. */
const scripts = ["latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext", "vietnamese"] as const;

/** Fonts of operating systems with the letters that the typeface has not: East Asian first. */
const systemFonts = [
  "C:\\Windows\\Fonts\\YuGothM.ttc", "C:\\Windows\\Fonts\\meiryo.ttc", "C:\\Windows\\Fonts\\msgothic.ttc", "C:\\Windows\\Fonts\\msyh.ttc", "C:\\Windows\\Fonts\\malgun.ttf", "C:\\Windows\\Fonts\\segoeui.ttf",
  "/System/Library/Fonts/ヒラギノ角ゴシック W3.ttc", "/System/Library/Fonts/Hiragino Sans GB.ttc", "/System/Library/Fonts/AppleSDGothicNeo.ttc", "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
  "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc", "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
  "/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf", "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
] as const;

const ownFonts = new Map<Weight, readonly Font[]>();
/** What was found out about letters. */
const letters: Readonly<Record<Weight, Map<number, Font | null>>> = { 400: new Map(), 600: new Map() };
let systemOnes: readonly Font[] | null = null;

/**
 * The font that has a letter: the typeface's own file for its script, otherwise one of this computer.
 *
 * @returns null when no font has it
 */
export function fontOf(codePoint: number, weight: Weight): Font | null {
  const known = letters[weight].get(codePoint);
  if (known !== undefined) return known;
  const found = findFont(codePoint, weight);
  letters[weight].set(codePoint, found);
  return found;
}

function findFont(codePoint: number, weight: Weight): Font | null {
  const hasIt = (font: Font) => font.hasGlyphForCodePoint(codePoint);
  const own = ownFonts.get(weight) ?? openOwn(weight);
  ownFonts.set(weight, own);
  const found = own.find(hasIt);
  if (found) return found;
  systemOnes ??= systemFonts.filter((file) => existsSync(file)).flatMap(openSystem);
  return systemOnes.find(hasIt) ?? null;
}

function openOwn(weight: Weight): readonly Font[] {
  return scripts.flatMap((script) => opened(unpackedFont(readFileSync(require.resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-${script}-${weight}-normal.woff`)))));
}

/** A font of the computer that cannot be read is as good as none. */
function openSystem(file: string): readonly Font[] {
  try {
    return opened(readFileSync(file)).slice(0, 1);
  } catch {
    return [];
  }
}

function opened(bytes: Uint8Array): readonly Font[] {
  const font = create(bytes);
  return "fonts" in font ? font.fonts : [font];
}
