import { expect, test } from "vitest";
import { signedNumber } from "../../../core/language/signed-number.ts";

test.each([
  [0.123, "+0.12"],
  [-0.123, "−0.12"],
  [-0.002, "±0.00"],
  [0, "±0.00"],
  [0.005001, "+0.01"],
])("formats %f with the sign of its displayed value: %s", (value, said) => {
  expect(signedNumber(value, 2, (number, decimals) => number.toFixed(decimals))).toBe(said);
});
