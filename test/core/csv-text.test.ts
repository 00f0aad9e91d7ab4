import { describe, expect, it } from "vitest";
import { csvText } from "../../core/csv-text.ts";

describe("csvText", () => {
  it("quotes according to RFC 4180", () => {
    expect(
      csvText(
        ["a", "b"],
        [
          ["x,y", 'say "so"'],
          ["two\nlines", null],
          [1.5, ""],
        ],
      ),
    ).toBe('a,b\r\n"x,y","say ""so"""\r\n"two\nlines",\r\n1.5,\r\n');
  });
  it.each(["=1+1", '=HYPERLINK("http://x")', "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "＠SUM(A1)", " =1"])(
    "prevents a spreadsheet from running %j",
    (cell) => {
      expect(csvText([], [[cell]]).split("\r\n")[1]).toMatch(/^"?'/);
    },
  );
  it.each(["x;=1+1", "x; ＝1+1", "x\t@SUM(A1)", 'x;"=1+1', "x\n=1"])(
    "prevents a spreadsheet with another separator from running %j",
    (cell) => {
      expect(csvText([], [[cell]])).toMatch(/[;\t\n]'[ "]*[=＝@]/);
    },
  );
  it.each([-0.5, "-0.5", "+4", "A-1"])("does not change %j", (cell) => {
    expect(csvText([], [[cell]])).toBe(`\r\n${cell}\r\n`);
  });
});
