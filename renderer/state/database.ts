import { create } from "zustand";
import type { Health } from "../../core/contract/desktop/program.ts";

type DatabaseState = {
  /** Whether the practice's database was away when this page was loaded; null until the program answers. */
  readonly isShownAway: boolean | null;
};

/** Which films this page shows: the practice's, or those opened while its database is away. */
export const useDatabase = create<DatabaseState>(() => ({ isShownAway: null }));

export function isDatabaseAway({ troubles }: Health): boolean {
  return troubles.some(({ code }) => code === "STORE_UNAVAILABLE");
}
