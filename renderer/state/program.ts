import { create } from "zustand";
import type { OwnRange } from "../../core/cardiac/reference/own-range.ts";
import type { Health } from "../../core/contract/desktop/program.ts";
import type { Settings } from "../../core/contract/desktop/settings.ts";
import { useLanguage } from "../ui/language/language.ts";
import { call } from "./connection.ts";
import { applyTheme } from "./theme.ts";
import { usePreferences } from "./preferences.ts";
import { queryClient } from "./queries.ts";

type ProgramState = {
  readonly settings: Settings | null;
  readonly health: Health | null;
  readonly ownRanges: readonly OwnRange[];
  readonly receiveRanges: (ranges: readonly OwnRange[]) => void;
  /** `signed-out`: the page needs the address printed by the program. */
  readonly link: "starting" | "live" | "offline" | "signed-out";
  readonly setLink: (link: ProgramState["link"]) => void;
  readonly receiveSettings: (settings: Settings) => void;
  readonly receiveHealth: (health: Health) => void;
  readonly receiveTroubles: (troubles: Health["troubles"]) => void;
  readonly receiveQueue: (isQueueFull: boolean) => void;
  readonly load: () => Promise<void>;
  readonly save: (change: Partial<Settings>) => Promise<void>;
};

export const useProgram = create<ProgramState>((set, get) => ({
  settings: null,
  health: null,
  ownRanges: [],
  receiveRanges: (ownRanges) => set({ ownRanges }),
  link: "starting",
  setLink: (link) => set({ link }),
  receiveSettings: (settings) => {
    applyTheme(settings.theme);
    useLanguage.getState().setLanguage(settings.language, settings.locale);
    set({ settings });
  },
  receiveHealth: (health) => set({ health }),
  receiveTroubles: (troubles) => set(({ health }) => ({ health: health && { ...health, troubles } })),
  receiveQueue: (isQueueFull) => set(({ health }) => ({ health: health && { ...health, isQueueFull } })),
  load: async () => {
    const before = get().settings;
    const [settings, health, { ranges }] = await Promise.all([
      call("settings.get", {}),
      call("app.health", {}),
      call("ranges.list", {}),
    ]);
    // Settings received during the request are newer than its response.
    if (get().settings === before) get().receiveSettings(settings);
    usePreferences.getState().receive(settings.view);
    set({ health, ownRanges: ranges });
  },
  save: async (change) => get().receiveSettings(await saveInOrder(change)),
}));

/** Saves changes one after another, so that the last response contains all of them. */
function saveInOrder(change: Partial<Settings>): Promise<Settings> {
  const mutationFn = (each: Partial<Settings>) => call("settings.save", each);
  return queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn, scope: { id: "settings" } })
    .execute(change);
}
