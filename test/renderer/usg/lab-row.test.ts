import { expect, test } from "vitest";
import { parseLabRow } from "../../../renderer/usg/lab-row.ts";

const entry = (text: string, unit: 0 | 1 = 0) => ({ text, unit });
const whole = {
  BUN: entry("28"),
  CREATININE: entry("2.1"),
  HGB: entry("11.3"),
  "ABSOLUTE LYMPHOCYTES": entry("2400"),
  age_months: entry("168"),
};

test.each([
  ["five bare numbers, tabs", "28\t2.1\t11.3\t2400\t168"],
  ["five bare numbers, spaces", "28 2.1 11.3 2400 168"],
  ["decimal commas, semicolons", "28;2,1;11,3;2400;168"],
  ["a header above", "BUN\tCREA\tHGB\tLYMPH\tAGE\n28\t2.1\t11.3\t2400\t168"],
  ["a header with units", "BUN (mg/dL);Creatinine (mg/dL);HGB (g/dL);Lymphocytes;Age\n28;2.1;11.3;2400;168"],
  ["names beside values", "BUN 28 mg/dL  CREA 2.1 mg/dL  HGB 11.3 g/dL  LYMPH 2400 /uL  Age 168"],
  ["one per line", "BUN: 28\nCreatinine: 2.1\nHb = 11.3\nLymphocytes absolute: 2400\nAge: 168 months"],
  ["German names", "Harnstoff-N: 28\nKreatinin: 2,1\nHämoglobin: 11,3\nLymphozyten: 2400\nAlter: 168 Monate"],
  ["another order", "Age: 168\nHGB: 11.3\nLYM: 2400\nCREA: 2.1\nBUN: 28"],
])("reads %s", (_, text) => {
  expect(parseLabRow(text)).toEqual(whole);
});

test("units are recognised", () => {
  expect(parseLabRow("Crea 186 µmol/L\nHGB 113 g/L\nLYM 2.4 K/µL\nAge 14 years\nUrea 10 mmol/L")).toEqual({
    CREATININE: entry("186", 1),
    HGB: entry("113", 1),
    "ABSOLUTE LYMPHOCYTES": entry("2.4", 1),
    age_months: entry("14", 1),
    BUN: entry("10", 1),
  });
});

test("an age without a unit is not guessed, unless no cat has so many years", () => {
  expect([parseLabRow("Age 11"), parseLabRow("Age 31")]).toEqual([
    { age_months: { text: "11", unit: null } },
    { age_months: entry("31") },
  ]);
});

test("a unit in a cell of its own, and a value marked as out of the laboratory's range", () => {
  expect(parseLabRow("CREA\t>\t\nCREA\t212\tumol/l\nBUN\t41\tmg/dl")).toEqual({
    CREATININE: entry("212", 1),
    BUN: entry("41"),
  });
});

test.each(["", "   ", "no numbers here", "1 2 3", "Glucose 120\nSodium 150"])("takes nothing from %j", (text) => {
  expect(parseLabRow(text)).toEqual({});
});
