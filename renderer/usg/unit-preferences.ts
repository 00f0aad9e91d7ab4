import { usgFeatures, type FeatureKey } from "../../core/usg/features.ts";
import { preferenceOf, usePreferences } from "../state/preferences.ts";
import { switchedUnit, type Entries } from "./units.ts";

/** Lets a value be typed in a unit from now on; an age says its unit each time. */
export function preferUnit(key: FeatureKey, unit: 0 | 1): void {
  if (key === "age_months") return;
  usePreferences.getState().change({ [`unit.${key}`]: unit });
}

/** Whole years are written as years. */
function unitOf(key: FeatureKey, value: number | ""): 0 | 1 {
  if (key === "age_months") return Number(value) > 0 && Number(value) % 12 === 0 ? 1 : 0;
  return preferenceOf<number>(usePreferences.getState().values, `unit.${key}`, 0) === 1 ? 1 : 0;
}

/** An empty form in the units that the user chose last. */
export function emptyEntries(): Entries {
  return { ...entriesOf(() => ""), age_months: { text: "", unit: null } };
}

/** Values of the service as a form in the units that the user chose last. */
export function entriesOf(valueOf: (key: FeatureKey) => number | ""): Entries {
  return Object.fromEntries(
    usgFeatures.map(({ key }) => {
      const value = valueOf(key);
      return [key, switchedUnit(key, { text: String(value), unit: 0 }, unitOf(key, value))];
    }),
  ) as unknown as Entries;
}
