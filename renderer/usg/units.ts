import type { FeatureKey } from "../../core/usg/features.ts";
import { numberOf } from "../ui/language/typed-number.ts";

/** A unit in which a value may be typed; `factor` turns it into the unit of the service. */
export type Unit = { readonly name: string; readonly factor: number };

/** Units per value, that of the service first. */
export const unitsOf = {
  BUN: [
    { name: "mg/dL", factor: 1 },
    { name: "mmol/L", factor: 2.801 },
  ],
  CREATININE: [
    { name: "mg/dL", factor: 1 },
    { name: "µmol/L", factor: 1 / 88.4 },
  ],
  HGB: [
    { name: "g/dL", factor: 1 },
    { name: "g/L", factor: 0.1 },
  ],
  "ABSOLUTE LYMPHOCYTES": [
    { name: "/µL", factor: 1 },
    { name: "k/µL", factor: 1000 },
  ],
  age_months: [
    { name: "months", factor: 1 },
    { name: "years", factor: 12 },
  ],
} as const satisfies Readonly<Record<FeatureKey, readonly [Unit, Unit]>>;

/**
 * What stands in one field: the number as typed and which of its units is chosen; null for an age of which nobody has
 * said whether it is years or months.
 */
export type Entry = { readonly text: string; readonly unit: 0 | 1 | null };
/** What stands in the form. */
export type Entries = Readonly<Record<FeatureKey, Entry>>;

/** The value in the unit of the service; digits that only the conversion made are dropped. */
export function serviceValue(key: FeatureKey, entry: Entry): number | null {
  const value = numberOf(entry.text);
  if (entry.unit === null) return null;
  if (value === null || entry.unit === 0) return value;
  return Number((value * unitsOf[key][entry.unit].factor).toPrecision(8));
}

/** The same quantity written in the other unit. */
export function switchedUnit(key: FeatureKey, entry: Entry, unit: 0 | 1): Entry {
  const value = numberOf(entry.text);
  if (value === null || entry.unit === null || unit === entry.unit) return { ...entry, unit };
  const units = unitsOf[key];
  return { text: String(Number(((value * units[entry.unit].factor) / units[unit].factor).toPrecision(4))), unit };
}
