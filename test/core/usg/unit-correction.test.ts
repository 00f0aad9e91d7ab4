import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import type { FeatureValues } from "../../../core/usg/features.ts";
import { assertPlausible, correctionOf, correctUnits } from "../../../core/usg/unit-correction.ts";
import { examplePayload } from "./example-payload.ts";

const withCreatinine = (value: number): FeatureValues => ({ ...examplePayload, CREATININE: value });
const withLymphocytes = (value: number): FeatureValues => ({ ...examplePayload, "ABSOLUTE LYMPHOCYTES": value });

function outcomeOf(sent: FeatureValues) {
  const { values, warnings } = correctUnits(sent);
  try {
    assertPlausible(values);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  return { values, warnings };
}

describe("creatinine", () => {
  it("is converted from umol/L above 50", () => {
    expect(outcomeOf(withCreatinine(176.8))).toEqual({
      values: withCreatinine(176.8 / 88.4),
      warnings: ["Creatinine (mg/dL): 176.8 -> 2 (converted from umol/L to mg/dL)"],
    });
  });
  it("is corrected at 50.01, but out of range at 50", () => {
    expect(outcomeOf(withCreatinine(50.01))).toEqual({
      values: withCreatinine(50.01 / 88.4),
      warnings: ["Creatinine (mg/dL): 50.01 -> 0.57 (converted from umol/L to mg/dL)"],
    });
    expect(outcomeOf(withCreatinine(50))).toEqual({
      code: "OUT_OF_RANGE",
      message: "Out of range: CREATININE 0.1–30",
    });
  });
  it("is validated after the correction", () => {
    expect(outcomeOf(withCreatinine(2652))).toMatchObject({
      warnings: ["Creatinine (mg/dL): 2652 -> 30 (converted from umol/L to mg/dL)"],
    });
    expect(outcomeOf(withCreatinine(30.01 * 88.4))).toMatchObject({ code: "OUT_OF_RANGE" });
  });
});

describe("lymphocytes", () => {
  it("are converted from thousands between 0 and 50", () => {
    expect(outcomeOf(withLymphocytes(2.1))).toEqual({
      values: withLymphocytes(2100),
      warnings: ["Abs. Lymphocytes (/uL): 2.1 -> 2100 (value appears to be in thousands, converted to /uL)"],
    });
  });
  it("are corrected at 49.99, but not at 50", () => {
    expect(outcomeOf(withLymphocytes(49.99))).toMatchObject({
      values: { "ABSOLUTE LYMPHOCYTES": 49_990 },
      warnings: ["Abs. Lymphocytes (/uL): 49.99 -> 49990 (value appears to be in thousands, converted to /uL)"],
    });
    expect(outcomeOf(withLymphocytes(50))).toEqual({ values: withLymphocytes(50), warnings: [] });
  });
  it.each([0, -0.5, -2100])("are not corrected and out of range at %d", (value) => {
    expect(correctUnits(withLymphocytes(value))).toEqual({ values: withLymphocytes(value), warnings: [] });
    expect(outcomeOf(withLymphocytes(value))).toEqual({
      code: "OUT_OF_RANGE",
      message: "Out of range: ABSOLUTE LYMPHOCYTES 50–50000",
    });
  });
  it("is validated after the correction", () => {
    expect(outcomeOf(withLymphocytes(0.05))).toMatchObject({ values: { "ABSOLUTE LYMPHOCYTES": 50 } });
    expect(outcomeOf(withLymphocytes(0.049))).toMatchObject({ code: "OUT_OF_RANGE" });
  });
});

describe("plausible ranges", () => {
  const rows = [
    ["BUN", 1, 300],
    ["CREATININE", 0.1, 30],
    ["HGB", 1, 25],
    ["ABSOLUTE LYMPHOCYTES", 50, 50_000],
    ["age_months", 1, 360],
  ] as const;
  it.each(rows)("of %s extend from %d to %d, inclusive", (key, minimum, maximum) => {
    for (const inside of [minimum, maximum])
      expect(() => assertPlausible({ ...examplePayload, [key]: inside })).not.toThrow();
    for (const outside of [minimum * (1 - 1e-12), maximum * (1 + 1e-12)]) {
      expect(() => assertPlausible({ ...examplePayload, [key]: outside })).toThrow(`${key} ${minimum}–${maximum}`);
    }
  });
  it("report all invalid fields", () => {
    expect(outcomeOf({ ...examplePayload, BUN: 0, HGB: 40 })).toMatchObject({
      message: "Out of range: BUN 1–300; HGB 1–25",
    });
  });
});

it("returns warnings in the order of the features", () => {
  const { warnings } = correctUnits({ ...withCreatinine(100), "ABSOLUTE LYMPHOCYTES": 3 });
  expect(warnings.map((warning) => warning.split(":")[0])).toEqual(["Creatinine (mg/dL)", "Abs. Lymphocytes (/uL)"]);
});

it("is idempotent for accepted values", () => {
  const sent = fc.record({
    creatinine: fc.oneof(
      fc.double({ min: 0.1, max: 30, noNaN: true }),
      fc.double({ min: 50, max: 2652, minExcluded: true, noNaN: true }),
    ),
    lymphocytes: fc.oneof(
      fc.double({ min: 50, max: 50_000, noNaN: true }),
      fc.double({ min: 0.05, max: 50, maxExcluded: true, noNaN: true }),
    ),
  });
  fc.assert(
    fc.property(sent, ({ creatinine, lymphocytes }) => {
      const once = correctUnits({ ...withCreatinine(creatinine), "ABSOLUTE LYMPHOCYTES": lymphocytes }).values;
      expect(() => assertPlausible(once)).not.toThrow();
      expect(correctUnits(once)).toEqual({ values: once, warnings: [] });
    }),
    { numRuns: 1000 },
  );
});

describe("correctionOf", () => {
  it("parses a warning", () => {
    const [warning = ""] = correctUnits(withLymphocytes(2.4)).warnings;
    expect(correctionOf(warning)).toEqual({ key: "ABSOLUTE LYMPHOCYTES", given: 2.4, taken: 2400 });
  });

  it.each(["", "Creatinine (mg/dL): 176.8", "Sodium chloride: 1 -> 2 (converted)"])("returns null for %j", (text) =>
    expect(correctionOf(text)).toBeNull(),
  );
});
