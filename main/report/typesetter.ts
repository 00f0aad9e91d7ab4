import type { Font } from "fontkit";
import { keepUnits } from "../../core/language/keep-units.ts";
import { openFontBook, type TextWeight } from "../imaging/text/font-book.ts";

export type TextStyle = { readonly sizePt: number; readonly colour: string; readonly weight?: TextWeight };

/** Typesets text in any script. A character that no font contains is printed as a question mark and recorded. */
export type Typesetter = {
  widthPt(text: string, style: TextStyle): number;
  /** Breaks text into lines between words; only a word that is too long for a line is broken itself. */
  lines(text: string, style: TextStyle, widthPt: number): readonly string[];
  /** Draws one line. @param baselinePt from the top of the page */
  draw(text: string, xPt: number, baselinePt: number, style: TextStyle): void;
  missing(): readonly string[];
};

/** Makes pdfkit lay out a run as a whole; without a list of features it does so word by word, from left to right. */
const wholeRun = { features: [] };

type Run = { readonly text: string; readonly font: string };

export function createTypesetter(document: PDFKit.PDFDocument): Typesetter {
  const book = openFontBook();
  const missing = new Set<string>();
  const registered = new Map<Font, string>();
  const nameOf = (font: Font): string => {
    const name = registered.get(font) ?? `font ${registered.size}`;
    if (!registered.has(font)) document.registerFont(name, font as never);
    registered.set(font, name);
    return name;
  };
  const runs = (text: string, { weight = 400 }: TextStyle): readonly Run[] =>
    book.runs(text, weight, (letter) => missing.add(letter)).map(({ text, font }) => ({ text, font: nameOf(font) }));
  const widthOf = ({ text, font }: Run, sizePt: number) =>
    document.font(font).fontSize(sizePt).widthOfString(text, wholeRun);
  const widthPt: Typesetter["widthPt"] = (text, style) =>
    runs(text, style).reduce((sum, run) => sum + widthOf(run, style.sizePt), 0);
  return {
    widthPt,
    lines: (text, style, most) =>
      text.split(/\r?\n/).flatMap((paragraph) => wrap(keepUnits(paragraph), (part) => widthPt(part, style) <= most)),
    draw(text, xPt, baselinePt, style) {
      let at = xPt;
      for (const run of runs(text, style)) {
        const width = widthOf(run, style.sizePt);
        document
          .fillColor(style.colour)
          .text(run.text, at, baselinePt, { ...wholeRun, lineBreak: false, baseline: "alphabetic" });
        at += width;
      }
    },
    missing: () => [...missing],
  };
}

/** Spaces at which a line may be broken: all except no-break spaces. */
const breakingSpaces = /[^\S\u00a0\u202f]+/;

function wrap(paragraph: string, fits: (part: string) => boolean): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(breakingSpaces)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (!fits(line) && [...line].length > 1) {
      const head = longestPrefix(line, fits);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line];
}

function longestPrefix(word: string, fits: (part: string) => boolean): string {
  const letters = [...word];
  let [least, most] = [1, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(letters.slice(0, middle).join(""))) least = middle;
    else most = middle - 1;
  }
  return letters.slice(0, least).join("");
}
