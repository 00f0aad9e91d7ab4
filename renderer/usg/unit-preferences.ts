import { usgFeatures, type FeatureKey } from "../../core/usg/features.ts";
import { preferenceOf, usePreferences } from "../state/preferences.ts";
import { switchedUnit, type Entries } from "./units.ts";

/** Lets a value be typed in a unit from now on. */
export function preferUnit(key: FeatureKey, unit: 0 | 1): void {
  usePreferences.getState().change({ [`unit.${key}`]: unit });
}

function preferredUnit(key: FeatureKey): 0 | 1 {
  return preferenceOf<number>(usePreferences.getState().values, `unit.${key}`, 0) === 1 ? 1 : 0;
}

/** An empty form in the units that the user chose last. */
export function emptyEntries(): Entries {
  return entriesOf(() => "");
}

/** Values of the service as a form in the units that the user chose last. */
export function entriesOf(valueOf: (key: FeatureKey) => number | ""): Entries {
  return Object.fromEntries(
    usgFeatures.map(({ key }) => [key, switchedUnit(key, { text: String(valueOf(key)), unit: 0 }, preferredUnit(key))]),
  ) as unknown as Entries;
}
