import type { FeatureKey } from "../../../core/usg/features.ts";
import { isPlausible, takenValue } from "../../../core/usg/unit-correction.ts";
import { numberOf } from "../../ui/language/typed-number.ts";
import { ageSpellings } from "../age-in-parts.ts";

/** A unit in which a value may be typed; `factor` converts it to the unit of the service. */
export type Unit = { readonly name: string; readonly factor: number; readonly spelling: RegExp };

/** Units of each value, that of the service first. */
export const unitsOf = {
  BUN: [
    { name: "mg/dL", factor: 1, spelling: /^mg\/?(dl|100ml)$/i },
    { name: "mmol/L", factor: 2.801, spelling: /^mmol(\/?l)?$/i },
  ],
  CREATININE: [
    { name: "mg/dL", factor: 1, spelling: /^mg\/?(dl|100ml)$/i },
    { name: "µmol/L", factor: 1 / 88.4, spelling: /^[uµ]mol(\/?l)?$/i },
  ],
  HGB: [
    { name: "g/dL", factor: 1, spelling: /^g\/?(dl|100ml)$/i },
    { name: "g/L", factor: 0.1, spelling: /^g\/?l$/i },
  ],
  "ABSOLUTE LYMPHOCYTES": [
    { name: "/µL", factor: 1, spelling: /^(cells?|zellen|cellules)?\/([uµ]l|mm\^?3)$/i },
    {
      name: "k/µL",
      factor: 1000,
      spelling: /^((k|tsd\.?|x?10[\^e*]?3)\/([uµ]l|mm\^?3)|(g|giga|mrd\.?|x?10[\^e*]?9)\/l|\/nl)$/i,
    },
  ],
  age_months: [
    { name: "months", factor: 1, spelling: ageSpellings[0] },
    { name: "years", factor: 12, spelling: ageSpellings[1] },
  ],
} as const satisfies Readonly<Record<FeatureKey, readonly [Unit, Unit]>>;

/** Contents of one field: the number as typed and the selected unit; null for an age without a unit. */
export type Entry = {
  readonly text: string;
  readonly unit: 0 | 1 | null;
  /** Whether the user typed or selected the unit, so that the service does not reinterpret the number. */
  readonly isStated?: boolean;
  /** Exact value in the unit of the service, if the text is rounded. */
  readonly exact?: number;
};
export type Entries = Readonly<Record<FeatureKey, Entry>>;

/** Value in the unit of the service, without digits that only result from the conversion; null without a unit. */
export function serviceValue(key: FeatureKey, entry: Entry): number | null {
  const value = numberOf(entry.text);
  if (entry.unit === null) return null;
  if (entry.exact !== undefined) return entry.exact;
  if (value === null || entry.unit === 0) return value;
  return Number((value * unitsOf[key][entry.unit].factor).toPrecision(8));
}

/** Whether the unit is stated: an alternative unit always is, as only users select it. */
export function isUnitStated({ unit, isStated = false }: Entry): boolean {
  return unit === 1 || isStated;
}

/** Value as the service will interpret it, converted if its size indicates another unit; null if incomplete. */
export function takenOf(key: FeatureKey, entry: Entry): ReturnType<typeof takenValue> | null {
  const value = serviceValue(key, entry);
  return value === null ? null : takenValue(key, value, isUnitStated(entry));
}

export function isTaken(key: FeatureKey, entry: Entry): boolean {
  const taken = takenOf(key, entry);
  return taken !== null && isPlausible(key, taken.value);
}

/**
 * Converts an entry to another unit. A number that the service would reinterpret in that unit stays unchanged, as it
 * was meant in that unit.
 */
export function switchedUnit(key: FeatureKey, entry: Entry, unit: 0 | 1): Entry {
  const value = numberOf(entry.text);
  const isMeantSo = unit === 1 && (takenOf(key, entry)?.explanation ?? null) !== null;
  if (value === null || entry.unit === null || unit === entry.unit || isMeantSo) return { ...entry, unit };
  const exact = serviceValue(key, entry);
  return exact === null ? { ...entry, unit } : { ...entry, ...writtenIn(key, exact, unit) };
}

export function writtenIn(key: FeatureKey, exact: number, unit: 0 | 1): Entry {
  const written = exact / unitsOf[key][unit].factor;
  // Keeps all digits before the decimal sign.
  const digits = Math.max(4, Math.trunc(Math.abs(written)).toString().length);
  return { text: String(Number(written.toPrecision(Math.min(digits, 15)))), unit, exact };
}
