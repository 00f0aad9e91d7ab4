import { create } from "zustand";
import type { DesktopRequest } from "../../core/contract/desktop.ts";
import type { UsgAnswer, UsgScreening } from "../../core/contract/desktop/usg.ts";
import { usgFeatures, type FeatureKey, type FeatureValues } from "../../core/usg/features.ts";
import { call } from "../state/connection.ts";
import { faultText } from "../state/faults.ts";
import { markTyped } from "../ui/fields/typed-input.ts";
import { showToast } from "../ui/notes/toasts.ts";
import { maxPasteLength, parseLabRow } from "./pasting/lab-row.ts";
import type { NumberSigns } from "./units/typed-quantity.ts";
import {
  isUnitStated,
  serviceValue,
  switchedUnit,
  takenOf,
  type Entries,
  type Entry,
  writtenIn,
} from "./units/units.ts";
import { preferenceOf, usePreferences } from "../state/preferences.ts";

type WhatIf = { readonly values: FeatureValues; readonly answer: UsgAnswer | null };

/** A text with unread values: all of them, those with only a limit, and those still filled in from before. */
export type Pasted = {
  readonly row: string;
  readonly missing: readonly FeatureKey[];
  readonly limits: readonly FeatureKey[];
  readonly left: readonly FeatureKey[];
};

type UsgState = {
  /** The cat to which the values belong; null while none is chosen. */
  readonly patientId: string | null;
  readonly entries: Entries;
  readonly row: string;
  readonly pasted: Pasted | null;
  readonly screening: UsgScreening | null;
  readonly fault: string | null;
  /** The pending screening; responses to earlier ones are ignored. */
  readonly pending: object | null;
  readonly whatIf: WhatIf | null;
  readonly setEntry: (key: FeatureKey, entry: Entry) => void;
  readonly setUnit: (key: FeatureKey, unit: 0 | 1) => void;
  readonly writeRow: (row: string) => void;
  readonly readRow: (row: string, signs: NumberSigns) => void;
  readonly clear: () => void;
  readonly screen: (patientId: string | null, clinicCode: string | null) => Promise<void>;
  readonly imagine: (key: FeatureKey, value: number) => void;
  readonly resetWhatIf: () => void;
  readonly turnTo: (patientId: string | null) => void;
  readonly showEarlier: (screening: UsgScreening) => void;
};

const withoutResult = { screening: null, whatIf: null, pending: null };

const withoutRow = { row: "", pasted: null };

function changedTo(entries: Entries, change: Partial<Entries>): Partial<UsgState> {
  const next = { ...entries, ...change };
  const isOther = JSON.stringify(valuesOfEntries(next)) !== JSON.stringify(valuesOfEntries(entries));
  return { ...(isOther && withoutResult), entries: next };
}

/** A number without a unit takes the unit of its field, like typed input; an age must state its unit. */
function inOwnUnits(found: Partial<Entries>, entries: Entries): Partial<Entries> {
  const own = usgFeatures.flatMap(({ key }) => {
    const entry = found[key];
    if (!entry) return [];
    const { unit, isStated } = entries[key];
    const isBare = entry.unit === null && key !== "age_months";
    return [[key, isBare ? { ...entry, unit, ...(isStated && { isStated }) } : entry]];
  });
  return Object.fromEntries(own) as Partial<Entries>;
}

/** Values as they would be scored, else their text. */
function valuesOfEntries(entries: Entries): readonly (number | string)[] {
  return usgFeatures.map(({ key }) => takenOf(key, entries[key])?.value ?? entries[key].text.trim());
}

function sentOf(entries: Entries): Pick<DesktopRequest<"usg.screen">, "features" | "statedUnits"> {
  const keys = usgFeatures.map(({ key }) => key);
  const sent = keys.map((key) => [key, serviceValue(key, entries[key]) ?? (entries[key].text.trim() || null)]);
  return { features: Object.fromEntries(sent), statedUnits: keys.filter((key) => isUnitStated(entries[key])) };
}

export const useUsg = create<UsgState>((set, get) => ({
  patientId: null,
  entries: emptyEntries(),
  ...withoutRow,
  screening: null,
  fault: null,
  pending: null,
  whatIf: null,
  setEntry: (key, entry) => set({ ...changedTo(get().entries, { [key]: entry }), fault: null }),
  setUnit: (key, unit) => {
    const { entries } = get();
    set(changedTo(entries, { [key]: { ...switchedUnit(key, entries[key], unit), isStated: true } }));
    preferUnit(key, unit);
  },
  writeRow: (row) => set({ row }),
  readRow: (row, signs) => {
    if (row.length > maxPasteLength) return showToast("note", (say) => say("usg.pasteTooLong"));
    const { entries } = get();
    const { found, limits } = parseLabRow(row, signs);
    const missing = usgFeatures.map(({ key }) => key).filter((key) => !found[key]);
    const left = missing.filter((key) => entries[key].text.trim() !== "");
    const isWhole = missing.length === 0;
    const pasted = isWhole ? null : { row, missing, limits, left };
    set({ ...changedTo(entries, inOwnUnits(found, entries)), fault: null, row: isWhole ? "" : row, pasted });
    const count = usgFeatures.length - missing.length;
    showToast("note", (say) => say("usg.pasteTook", { count }));
  },
  clear: () => set({ ...withoutResult, ...withoutRow, entries: emptyEntries(), fault: null }),
  screen: async (patientId, clinicCode) => {
    const pending = { ...sentOf(get().entries), patientId, clinicCode };
    set({ pending, fault: null });
    try {
      const screening = await call("usg.screen", pending);
      if (get().pending === pending) set({ ...withoutResult, screening });
    } catch (error) {
      if (get().pending === pending) set({ ...withoutResult, fault: faultText(error) });
    }
  },
  imagine: (key, value) => {
    const { screening, whatIf } = get();
    if (!screening) return;
    const values = { ...(whatIf?.values ?? screening.values), [key]: value };
    set({ whatIf: { values, answer: whatIf?.answer ?? null } });
    const isShown = () => get().whatIf?.values === values;
    call("usg.whatIf", { features: values }).then(
      (answer) => isShown() && set({ whatIf: { values, answer }, fault: null }),
      (error: unknown) => isShown() && set({ whatIf: { values, answer: null }, fault: faultText(error) }),
    );
  },
  resetWhatIf: () => set({ whatIf: null }),
  turnTo: (patientId) => {
    const { patientId: before, screening, pending } = get();
    if (patientId === before) return;
    // Values typed before a cat was chosen belong to the chosen cat. Values of another cat, and values that were
    // screened without a cat, do not.
    if (before !== null || screening !== null || pending !== null) get().clear();
    set({ patientId });
  },
  showEarlier: (screening) => {
    set({ ...withoutResult, ...withoutRow, screening, entries: entriesOf(screening.values), fault: null });
  },
}));

useUsg.subscribe(({ screening, entries, row }) => {
  const isTyped = [row, ...Object.values(entries).map(({ text }) => text)].some((text) => text.trim() !== "");
  markTyped("usg", screening === null && isTyped);
});

function preferUnit(key: FeatureKey, unit: 0 | 1): void {
  if (key === "age_months") return;
  usePreferences.getState().change({ [`unit.${key}`]: unit });
}

/** Unit in which a value is shown; ages of whole years are shown in years. */
function unitOf(key: FeatureKey, value: number | null): 0 | 1 {
  if (key === "age_months") return value !== null && value > 0 && value % 12 === 0 ? 1 : 0;
  return preferenceOf<number>(usePreferences.getState().values, `unit.${key}`, 0) === 1 ? 1 : 0;
}

function emptyEntries(): Entries {
  return { ...entriesBy((key) => ({ text: "", unit: unitOf(key, null) })), age_months: { text: "", unit: null } };
}

function entriesOf(values: FeatureValues): Entries {
  return entriesBy((key) => ({
    ...writtenIn(key, values[key], unitOf(key, values[key])),
    ...(key === "age_months" && { isStated: true }),
  }));
}

function entriesBy(entryOf: (key: FeatureKey) => Entry): Entries {
  return Object.fromEntries(usgFeatures.map(({ key }) => [key, entryOf(key)])) as unknown as Entries;
}
