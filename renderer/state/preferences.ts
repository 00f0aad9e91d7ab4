import { create } from "zustand";
import type { Settings } from "../../core/contract/desktop/settings.ts";
import { call, ProgramError } from "./connection.ts";
import { showFault } from "./faults.ts";

type Values = Settings["view"];

type PreferencesState = {
  readonly values: Values;
  readonly receive: (values: Values) => void;
  readonly change: (change: Values) => void;
};

/**
 * View preferences of the user, stored with the settings so that they apply in every window and after a restart.
 */
export const usePreferences = create<PreferencesState>((set, get) => {
  let isSaving = false;
  let isChanged = false;
  /** Saves at once; of changes made during a save, only the latest values are saved next. */
  const save = async (): Promise<void> => {
    isSaving = true;
    try {
      while (isChanged) {
        isChanged = false;
        await call("settings.save", { view: get().values });
      }
    } catch (error) {
      // While the practice's database is unreachable, preferences last until the page is closed.
      if (!(error instanceof ProgramError && error.code === "STORE_UNAVAILABLE")) showFault(error);
    } finally {
      isSaving = false;
    }
  };
  return {
    values: {},
    receive: (values) => {
      // A value being saved is newer than the one received.
      if (!isSaving) set({ values });
    },
    change: (change) => {
      set({ values: { ...get().values, ...change } });
      isChanged = true;
      if (!isSaving) void save();
    },
  };
});

export function preferenceOf<T extends Values[string]>(values: Values, name: string, fallback: T): T {
  const value = values[name];
  return typeof value === typeof fallback ? (value as T) : fallback;
}
