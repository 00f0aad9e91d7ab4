import type { FeatureKey } from "../../../core/usg/features.ts";
import { isPlausible, takenValue } from "../../../core/usg/unit-correction.ts";
import { numberOf } from "../../ui/language/typed-number.ts";

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

/** Contents of one field: the number as typed and the selected unit; null for an age without a unit. */
export type Entry = {
  readonly text: string;
  readonly unit: 0 | 1 | null;
  /** Whether the user wrote or selected the unit: the service then does not reinterpret the number. */
  readonly isStated?: boolean;
  /** In the unit of the service, where the text is a rounded writing of it. */
  readonly exact?: number;
};
export type Entries = Readonly<Record<FeatureKey, Entry>>;

/** The value in the unit of the service; digits that only the conversion made are dropped. */
export function serviceValue(key: FeatureKey, entry: Entry): number | null {
  const value = numberOf(entry.text);
  if (entry.unit === null) return null;
  if (entry.exact !== undefined) return entry.exact;
  if (value === null || entry.unit === 0) return value;
  return Number((value * unitsOf[key][entry.unit].factor).toPrecision(8));
}

/** Whether the number is one in the unit of its field: a unit other than that of the service is never a default. */
export function isUnitStated({ unit, isStated = false }: Entry): boolean {
  return unit === 1 || isStated;
}

/** The value as the service will interpret it: converted if its size indicates another unit; null if empty. */
export function takenOf(key: FeatureKey, entry: Entry): ReturnType<typeof takenValue> | null {
  const value = serviceValue(key, entry);
  return value === null ? null : takenValue(key, value, isUnitStated(entry));
}

/** Whether an entry is a value that the service takes. */
export function isTaken(key: FeatureKey, entry: Entry): boolean {
  const taken = takenOf(key, entry);
  return taken !== null && isPlausible(key, taken.value);
}

/**
 * The same quantity written in the other unit. A number that the service would take for one in that unit is meant so,
 * and stays.
 */
export function switchedUnit(key: FeatureKey, entry: Entry, unit: 0 | 1): Entry {
  const value = numberOf(entry.text);
  const isMeantSo = unit === 1 && (takenOf(key, entry)?.explanation ?? null) !== null;
  if (value === null || entry.unit === null || unit === entry.unit || isMeantSo) return { ...entry, unit };
  const exact = serviceValue(key, entry);
  return exact === null ? { ...entry, unit } : { ...entry, ...writtenIn(key, exact, unit) };
}

/** A value of the service as an entry in one of its units: rounded to be read, and exact. */
export function writtenIn(key: FeatureKey, exact: number, unit: 0 | 1): Entry {
  const written = exact / unitsOf[key][unit].factor;
  // Not shorter than its whole digits.
  const digits = Math.max(4, Math.trunc(Math.abs(written)).toString().length);
  return { text: String(Number(written.toPrecision(Math.min(digits, 15)))), unit, exact };
}
