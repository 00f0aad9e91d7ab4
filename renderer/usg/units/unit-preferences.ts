import { usgFeatures, type FeatureKey, type FeatureValues } from "../../../core/usg/features.ts";
import { preferenceOf, usePreferences } from "../../state/preferences.ts";
import { writtenIn, type Entries, type Entry } from "./units.ts";

export function preferUnit(key: FeatureKey, unit: 0 | 1): void {
  if (key === "age_months") return;
  usePreferences.getState().change({ [`unit.${key}`]: unit });
}

/** Whole years are written as years. */
function unitOf(key: FeatureKey, value: number | null): 0 | 1 {
  if (key === "age_months") return value !== null && value > 0 && value % 12 === 0 ? 1 : 0;
  return preferenceOf<number>(usePreferences.getState().values, `unit.${key}`, 0) === 1 ? 1 : 0;
}

/** An empty form in the units that the user chose last. */
export function emptyEntries(): Entries {
  return { ...entriesBy((key) => ({ text: "", unit: unitOf(key, null) })), age_months: { text: "", unit: null } };
}

/** Values of the service as a form in the units that the user chose last. */
export function entriesOf(values: FeatureValues): Entries {
  return entriesBy((key) => writtenIn(key, values[key], unitOf(key, values[key])));
}

function entriesBy(entryOf: (key: FeatureKey) => Entry): Entries {
  return Object.fromEntries(usgFeatures.map(({ key }) => [key, entryOf(key)])) as unknown as Entries;
}
