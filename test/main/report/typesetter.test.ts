import PDFDocument from "pdfkit";
import { expect, test } from "vitest";
import { createTypesetter } from "../../../main/report/typesetter.ts";

const style = { sizePt: 9, colour: "#000" };

test("a line ends at no space that holds French punctuation to its word", () => {
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
