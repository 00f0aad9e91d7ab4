import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { openFontBook } from "../../../main/imaging/text/font-book.ts";
import { createTypesetter } from "../../../main/report/typesetter.ts";

type Glyph = { readonly path: { toSVG(): string } };

const style = { sizePt: 9, colour: "#000" };

test("does not break a line at a no-break space before French punctuation", () => {
  const { lines, widthPt } = createTypesetter(new PDFDocument());
  const text = "Remarque\u00a0: bon\u202f; encore\u202f?";
  expect(lines(text, style, widthPt("encore\u202f; enc", style))).toEqual([
    "Remarque\u00a0:",
    "bon\u202f;",
    "encore\u202f?",
  ]);
});

test("prints a narrow space from the typeface, independent of the computer's fonts", () => {
  const { widthPt, missing } = createTypesetter(new PDFDocument());
  expect(widthPt("\u202f", style)).toBe(widthPt("\u2009", style));
  expect(missing()).toEqual([]);
});

test.each([
  ["Japanese", "山田^太郎 たろう ﾔﾏﾀﾞ 辻 畑 桜"],
  ["Chinese", "王小黑 张东 黃陳"],
  ["Korean", "김길동 홍 뷁"],
  ["Thai", "นามสกุล หมา"],
  ["Arabic", "محمد بوبي"],
])("prints names in %s from the program's own fonts", (_script, name) => {
  const book = openFontBook();
  const missing: string[] = [];
  const fonts = book.runs(name, 600, (letter) => missing.push(letter)).map(({ font }) => font.postscriptName);
  expect(missing).toEqual([]);
  for (const font of fonts) expect(font).toMatch(/^(IBMPlexSans|NotoSans|Kosugi|GowunDodum)/);
});

test("typesets the words of an Arabic name from right to left", () => {
  const { runs } = openFontBook();
  const [whole, ...others] = runs("محمد بوبي", 400);
  const [first] = runs("محمد", 400);
  expect(others).toEqual([]);
  const shapes = (run: typeof whole) => run?.font.layout(run.text).glyphs.map((glyph: Glyph) => glyph.path.toSVG());
  expect(shapes(whole)?.slice(-4)).toEqual(shapes(first));
});

test("keeps the space between an Arabic and a Latin word between them", () => {
  const textsOf = (line: string) =>
    openFontBook()
      .runs(line, 400)
      .map(({ text }) => text);
  expect([textsOf("بوبي Rex"), textsOf("Rex بوبي (2)")]).toEqual([
    ["بوبي", " Rex"],
    ["Rex ", "بوبي", " (2)"],
  ]);
});

test("measures the full width of text with Latin and Chinese characters", () => {
  const { widthPt, missing } = createTypesetter(new PDFDocument());
  expect(widthPt("Rex 王小黑", style)).toBeGreaterThan(widthPt("Rex 王小", style));
  expect(missing()).toEqual([]);
});
