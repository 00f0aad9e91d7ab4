import { expect, test } from "vitest";
import { decimalNumber } from "../../core/decimal-number.ts";

test.each([
  ["0.25", 0.25],
  ["0,25", 0.25],
  ["-,5", -0.5],
  ["+1.", 1],
  ["1,5E-2", 0.015],
  ["0007", 7],
])("parses %s as %d", (text, value) => expect(decimalNumber(text)).toBe(value));

test.each([
  "",
  "abc",
  "1,2,3",
  "1.234,5",
  "1,234.5",
  "0x10",
  "0.2 mm",
  "Infinity",
  "NaN",
  "1 2",
  "--1",
  ",",
  "1e",
  "٣",
])("rejects %j", (text) => expect(decimalNumber(text)).toBeNaN());
