import { expect, test } from "vitest";
import { usgFeatures } from "../../../../core/usg/features.ts";
import { serviceValue, switchedUnit, unitsOf } from "../../../../renderer/usg/units/units.ts";

test("converts typed units to those of the service", () => {
  expect(serviceValue("CREATININE", { text: "176.8", unit: 1 })).toBe(2);
  expect(serviceValue("ABSOLUTE LYMPHOCYTES", { text: "2,4", unit: 1 })).toBe(2400);
  expect(serviceValue("age_months", { text: "14", unit: 1 })).toBe(168);
  expect(serviceValue("HGB", { text: "11.3", unit: 0 })).toBe(11.3);
});

test.each(usgFeatures.map(({ key }) => key))(
  "keeps the quantity when the unit of %s is switched back and forth",
  (key) => {
    const there = switchedUnit(key, { text: "24", unit: 0, isStated: true }, 1);
    expect(there.unit).toBe(1);
    expect(Number(there.text) * unitsOf[key][1].factor).toBeCloseTo(24, 1);
    expect(Number(switchedUnit(key, there, 0).text)).toBeCloseTo(24, 1);
  },
);
