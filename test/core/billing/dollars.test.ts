import { expect, it } from "vitest";
import { centsOfDollars, dollarsOfCents } from "../../../core/billing/dollars.ts";

it.each([
  ["0", 0],
  ["2", 200],
  ["1.8", 180],
  ["1.80", 180],
  ["0.29", 29],
  ["1.15", 115],
  ["999999.99", 99_999_999],
])("parses %s dollars as %i cents", (text, cents) => {
  expect(centsOfDollars(text)).toBe(cents);
});

it.each(["", " 1", "-1", "+1", "1.", ".5", "1.805", "1,80", "1e2", "1000000", "none", "$2"])("rejects %j", (text) => {
  expect(centsOfDollars(text)).toBeNull();
});

it("parses every formatted amount back", () => {
  for (let cents = 0; cents <= 100_000; cents++)
    if (centsOfDollars(dollarsOfCents(cents)) !== cents) expect.fail(`${cents} cents`);
});
