import { describe, expect, it } from "vitest";
import { textOutline, textWidthPx } from "../../../../main/imaging/text/text-outlines.ts";

describe("textOutline", () => {
  it("converts letters to paths, without fonts of the computer", () => {
    expect(textOutline("VHS 10.4", 10, 20, 16)).toMatch(/^M[\d.-]+ [\d.-]+/);
    expect(textOutline("VHS", 10, 20, 16)).not.toBe(textOutline("VHS", 10, 20, 16, 600));
  });

  it("contains no NaN for positions with rounding errors", () => {
    const text =
      "The networks place the points far apart: spread 0.0092 of the film’s longest side, review from 0.008.";
    const outlines = (
      [
        [22, 400],
        [22.41, 600],
      ] as const
    ).map(([x, weight]) => textOutline(text, x, 86.02, 18.7, weight));
    for (const outline of outlines) expect(outline).not.toContain("NaN");
  });

  it("draws letters of every script of the typeface, and a question mark for letters in no font", () => {
    const drawn = ["Łukasz Dvořák", "Ωκεανός", "Жилин", "Nguyễn"].map((name) =>
      [...name].map((letter) => textOutline(letter, 0, 20, 16)),
    );
    const mark = textOutline("?", 0, 20, 16);
    for (const letters of drawn) expect(letters).not.toContain(mark);
    expect(textOutline("ě", 0, 20, 16)).not.toBe(textOutline("š", 0, 20, 16));
    expect(textOutline("\u{10FFFD}", 0, 20, 16)).toBe(mark);
    expect(textWidthPx("Dvořák", 20)).toBeCloseTo(
      textWidthPx("Dvo", 20) + textWidthPx("ř", 20) + textWidthPx("ák", 20),
      6,
    );
  });

  it("measures the width of a line", () => {
    expect(textWidthPx("VHS", 40)).toBeCloseTo(2 * textWidthPx("VHS", 20), 6);
    expect(textWidthPx("", 20)).toBe(0);
  });
});
