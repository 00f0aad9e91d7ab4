import { expect, test } from "vitest";
import { numberOf } from "../../../renderer/ui/language/typed-number.ts";
import { formatsOf } from "../../../renderer/ui/language/format.ts";

test("parses numbers with decimal comma or point, and nothing else", () => {
  expect(["2.1", "2,1", " 7 ", ".5"].map(numberOf)).toEqual([2.1, 2.1, 7, 0.5]);
  expect(["", "abc", "1.2.3", "1e3", "2,1,0"].map(numberOf)).toEqual([null, null, null, null, null]);
});

test("shows a typed number with the decimal sign of the language, and other text unchanged", () => {
  const { typed } = formatsOf("de");
  const numbers = ["2.4", "2,4", " 13.8 ", ".5", "1400", "-0,3", "2."];
  expect(numbers.map(typed)).toEqual(["2,4", "2,4", "13,8", ",5", "1400", "-0,3", "2,"]);
  const others = ["", "abc", "1.2.3", "2.4 mg"];
  expect(others.map(typed)).toEqual(others);
  expect(["2.4", "-0,3"].map(formatsOf("en").typed)).toEqual(["2.4", "-0.3"]);
});

test("formats numbers and days by locale, months by language", () => {
  const { number, day, typed, month, longDay } = formatsOf("en", "de-DE");
  const shown = [number(1234.5, 1), day("2026-12-31T12:00:00"), typed("1.5"), month("2026-12"), longDay("2026-12-31")];
  expect(shown).toEqual(["1.234,5", "31.12.2026", "1,5", "December 2026", "31 December 2026"]);
});
