import { create } from "zustand";
import type { Health } from "../../core/contract/desktop/program.ts";

type DatabaseState = {
  /** Whether the practice's database was unreachable when this page was loaded; null until known. */
  readonly isShownAway: boolean | null;
};

export const useDatabase = create<DatabaseState>(() => ({ isShownAway: null }));

export function isDatabaseAway({ troubles }: Health): boolean {
  return troubles.some(({ code }) => code === "STORE_UNAVAILABLE");
}
