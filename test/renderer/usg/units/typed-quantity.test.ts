import { describe, expect, test } from "vitest";
import { hasUnknownUnit, readQuantity, signsOf } from "../../../../renderer/usg/units/typed-quantity.ts";

const [english, german, french] = ["en-GB", "de-DE", "fr-FR"].map(signsOf) as [
  ReturnType<typeof signsOf>,
  ReturnType<typeof signsOf>,
  ReturnType<typeof signsOf>,
];
const lymphocytes = (text: string, signs: typeof english) => readQuantity("ABSOLUTE LYMPHOCYTES", text, signs)?.value;

test.each([
  ["1,800", 1800, 1.8],
  ["1.800", 1.8, 1800],
  ["2.1", 2.1, 2.1],
  ["2,1", 2.1, 2.1],
  ["0,800", 0.8, 0.8],
  ["12,345", 12345, 12.345],
  ["1,234,567", 1234567, undefined],
  ["1.2.3", undefined, undefined],
  ["1400", 1400, 1400],
])("reads %s as %s in English and as %s in German", (text, inEnglish, inGerman) => {
  expect([lymphocytes(text, english), lymphocytes(text, german)]).toEqual([inEnglish, inGerman]);
});

test("reads both signs together in the order of the locale", () => {
  expect([
    lymphocytes("1,800.5", english),
    lymphocytes("1.800,5", german),
    lymphocytes("1\u202f800,5", french),
  ]).toEqual([1800.5, 1800.5, 1800.5]);
});

test.each([
  ["2 100", 2100],
  ["2\u00a0100", 2100],
  ["2\u202f100", 2100],
  ["12 345,5", 12345.5],
  ["1 234 567 /µL", 1234567],
  ["1'800", 1800],
  ["1 2", undefined],
  ["1\u00a02", undefined],
  ["1'2", undefined],
  ["0 800", undefined],
  ["2 1000", undefined],
  ["1234 567", undefined],
  ["2 103/µL", 2],
  ["2 10^3/µL", 2],
])("reads spaces only as separators of groups of three: %j", (text, wanted) => {
  expect([english, german, french].map((signs) => lymphocytes(text, signs))).toEqual([wanted, wanted, wanted]);
});

test("distinguishes an unknown unit from an invalid number", () => {
  const isUnknown = (text: string) => hasUnknownUnit("HGB", text, french);
  expect(["7,4 g/kg", "7.4mval", "11 %"].map(isUnknown)).toEqual([true, true, true]);
  expect(["7,4", "7,4 g/dL", "113 g/l", "", "mmol/L", "1 2", "1,2,3 g/dL"].filter(isUnknown)).toEqual([]);
});

test.each([
  ["BUN", "28 mg/dl", 28, 0],
  ["BUN", "10mmol/l", 10, 1],
  ["CREATININE", "186 µmol/L", 186, 1],
  ["HGB", "113 g/l", 113, 1],
  ["ABSOLUTE LYMPHOCYTES", "2.4 k/µL", 2.4, 1],
  ["ABSOLUTE LYMPHOCYTES", "2400 /µL", 2400, 0],
  ["ABSOLUTE LYMPHOCYTES", "2400 /mm³", 2400, 0],
  ["ABSOLUTE LYMPHOCYTES", "2.4 ×10⁹/L", 2.4, 1],
  ["CREATININE", "15 mg/L", 1.5, 0],
  ["BUN", "28", 28, null],
] as const)("reads a value of %s: %s", (key, text, value, unit) => {
  expect(readQuantity(key, text, english)).toEqual({ value, unit });
});

describe("an age", () => {
  test.each([
    ["11 years", 11, 1],
    ["11 y", 11, 1],
    ["11 Jahre", 11, 1],
    ["11 ans", 11, 1],
    ["8 months", 8, 0],
    ["8 Monate", 8, 0],
    ["11 y 3 mo", 135, 0],
    ["11 Jahre 3 Monate", 135, 0],
    ["11 ans, 3 mois", 135, 0],
    ["168", 168, null],
    ["11", 11, null],
  ] as const)("reads %s", (text, value, unit) => {
    expect(readQuantity("age_months", text, english)).toEqual({ value, unit });
  });
  test.each(["11 y 14 mo", "11 kg", "old", "", "3 mo 11 y", "11 y 3 mo 2 d", "11 y 3"])("rejects %j", (text) => {
    expect(readQuantity("age_months", text, english)).toBeNull();
  });
});
