import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Font } from "fontkit";
import type * as fontkit from "fontkit";
import { unpackedFont } from "./unpacked-font.ts";

export type TextWeight = 400 | 600;

const require = createRequire(import.meta.url);
const scripts = ["latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext", "vietnamese"] as const;

/** Fonts of other scripts: Japanese before Chinese, whose shapes of shared letters differ. */
const fallbackFonts = [
  "noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff",
  "noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff",
  "kosugi/files/kosugi-japanese-400-normal.woff",
  "noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff",
  "gowun-dodum/files/gowun-dodum-korean-400-normal.woff",
] as const;

/** Fonts of operating systems for letters that none of these packages has: East Asian first. */
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

const files = new Map<string, Buffer>();

export type FontBook = {
  /**
   * Splits a line into runs of one font: the typeface's file for their script, otherwise a font of this computer. A
   * letter in no font becomes a question mark.
   */
  runs(text: string, weight: TextWeight, onMissing?: (letter: string) => void): readonly FontRun[];
};

export type FontRun = { readonly text: string; readonly font: Font };

/** Spaces at the end of a run from right to left are drawn at its left; they belong before the next run, at its right. */
const spacesAfterLeftward = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}] +$/u;
const replacement = "?";
/** The typeface lacks the narrow no-break space of French (before `;`, `!` and `?`), so a thin space replaces it. */
const narrowNoBreakSpace = /\u202f/g;
const thinSpace = "\u2009";
const halfWidthKatakana = /[\uff61-\uff9f]+/g;

/** Opens the fonts of one document: a font records the glyphs printed with it, so documents cannot share it. */
export function openFontBook(): FontBook {
  const own = new Map<string, readonly Font[]>();
  let system: readonly Font[] | null = null;
  const known: Readonly<Record<TextWeight, Map<number, Font | null>>> = { 400: new Map(), 600: new Map() };
  const ownFonts = (file: string) => {
    const fonts = own.get(file) ?? openOwn(file);
    own.set(file, fonts);
    return fonts;
  };
  const find = (codePoint: number, weight: TextWeight) => {
    const hasIt = (font: Font) => font.hasGlyphForCodePoint(codePoint);
    for (const script of scripts) {
      const found = ownFonts(`ibm-plex-sans/files/ibm-plex-sans-${script}-${weight}-normal.woff`).find(hasIt);
      if (found) return found;
    }
    for (const file of fallbackFonts) {
      const found = ownFonts(file).find(hasIt);
      if (found) return found;
    }
    system ??= systemFonts.filter((file) => existsSync(file)).flatMap(openSystem);
    return system.find(hasIt) ?? null;
  };
  const fontOf = (letter: string, weight: TextWeight) => {
    const codePoint = letter.codePointAt(0) as number;
    const before = known[weight].get(codePoint);
    if (before !== undefined) return before;
    const found = find(codePoint, weight);
    known[weight].set(codePoint, found);
    return found;
  };
  return {
    runs(text, weight, onMissing) {
      const runs: { text: string; font: Font }[] = [];
      for (const letter of printable(text)) {
        const before = runs.at(-1)?.font;
        // A space between two words of one script stays in their run, in which words from right to left are ordered.
        const found = letter === " " && before?.hasGlyphForCodePoint(0x20) ? before : fontOf(letter, weight);
        if (!found) onMissing?.(letter);
        const [shown, font] = found ? [letter, found] : [replacement, fontOf(replacement, weight) as Font];
        const last = runs.at(-1);
        if (last?.font === font) last.text += shown;
        else if (last && spacesAfterLeftward.test(last.text) && font.hasGlyphForCodePoint(0x20)) {
          runs.push({ text: last.text.slice(last.text.trimEnd().length) + shown, font });
          last.text = last.text.trimEnd();
        } else runs.push({ text: shown, font });
      }
      return runs;
    },
  };
}

/** Composes letters and converts half-width katakana to full-width ones. */
function printable(text: string): string {
  return text
    .normalize("NFC")
    .replace(narrowNoBreakSpace, thinSpace)
    .replace(halfWidthKatakana, (part) => part.normalize("NFKC"));
}

function openOwn(file: string): readonly Font[] {
  return opened(bytesOf(require.resolve(`@fontsource/${file}`), unpackedFont));
}

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

/** Loads fontkit with the first font, since nothing is drawn when the program starts. */
function opened(bytes: Uint8Array): readonly Font[] {
  const { create } = require("fontkit") as typeof fontkit;
  const font = create(bytes);
  return "fonts" in font ? font.fonts : [font];
}
