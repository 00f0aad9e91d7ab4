import type { Handout } from "./handout.ts";
import type { Words } from "./handout-texts.ts";
import type { TextStyle, Typesetter } from "./typesetter.ts";

export const page = {
  widthPt: 595.28,
  heightPt: 841.89,
  leftPt: 42,
  rightPt: 553.28,
  topPt: 38,
  bottomPt: 806,
} as const;
export const contentWidthPt = page.rightPt - page.leftPt;

export const ink = {
  text: "#16212b",
  quiet: "#5a6772",
  line: "#cfd6dc",
  axis: "#3a4650",
  band: "#dcebe3",
  film: "#0b0e11",
} as const;

export const styles = {
  title: { sizePt: 15, weight: 600, colour: ink.text },
  heading: { sizePt: 9, weight: 600, colour: ink.text },
  body: { sizePt: 9, colour: ink.text },
  strong: { sizePt: 9.5, weight: 600, colour: ink.text },
  label: { sizePt: 7.5, colour: ink.quiet },
  small: { sizePt: 7, colour: ink.quiet },
  figure: { sizePt: 7, colour: ink.text },
  score: { sizePt: 26, weight: 600, colour: ink.text },
} as const satisfies Readonly<Record<string, TextStyle>>;

export type Sheet = {
  readonly document: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly words: Words;
  readonly handout: Handout;
};

/** Part of the page, measured first and drawn once its position is known. */
export type Block = { readonly heightPt: number; draw(topPt: number): void };

export function leadingPt({ sizePt }: TextStyle): number {
  return sizePt * 1.32;
}

export function paragraph(
  sheet: Sheet,
  text: string,
  style: TextStyle,
  leftPt: number = page.leftPt,
  widthPt = contentWidthPt,
): Block {
  return stack(text === "" ? [] : linesOf(sheet, text, style, leftPt, widthPt));
}

/** Paragraph as one block per line, which can be broken over pages. */
export function linesOf(
  { type }: Sheet,
  text: string,
  style: TextStyle,
  leftPt: number = page.leftPt,
  widthPt = contentWidthPt,
): readonly Block[] {
  return type.lines(text, style, widthPt).map((line) => ({
    heightPt: leadingPt(style),
    draw: (topPt) => type.draw(line, leftPt, topPt + style.sizePt, style),
  }));
}

export function stack(blocks: readonly Block[], gapPt = 0): Block {
  const shown = blocks.filter(({ heightPt }) => heightPt > 0);
  return {
    heightPt: shown.reduce((sum, { heightPt }) => sum + heightPt, Math.max(0, shown.length - 1) * gapPt),
    draw(topPt) {
      let at = topPt;
      for (const block of shown) {
        block.draw(at);
        at += block.heightPt + gapPt;
      }
    },
  };
}

export function sideBySide(blocks: readonly Block[]): Block {
  return {
    heightPt: Math.max(...blocks.map(({ heightPt }) => heightPt)),
    draw: (topPt) => blocks.forEach((block) => block.draw(topPt)),
  };
}

export function space(heightPt: number): Block {
  return { heightPt, draw: () => undefined };
}

export function rule(sheet: Sheet): Block {
  return {
    heightPt: 0.6,
    draw: (topPt) => drawLine(sheet, [page.leftPt, topPt], [page.rightPt, topPt], ink.line),
  };
}

type Place = readonly [xPt: number, yPt: number];

export function drawLine({ document }: Sheet, from: Place, to: Place, colour: string, widthPt = 0.6): void {
  document
    .moveTo(...from)
    .lineTo(...to)
    .lineWidth(widthPt)
    .strokeColor(colour)
    .stroke();
}
