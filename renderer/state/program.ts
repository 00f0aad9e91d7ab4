import { create } from "zustand";
import type { OwnRange } from "../../core/cardiac/reference/own-range.ts";
import type { Health, Settings } from "../../core/contract/desktop/program.ts";
import { useLanguage } from "../ui/language/language.ts";
import { call } from "./connection.ts";
import { applyTheme } from "./theme.ts";
import { newestQuestion } from "./newest-question.ts";
import { usePreferences } from "./preferences.ts";

type CountedEvent =
  | "server.changed"
  | "ledger.changed"
  | "screenings.changed"
  | "packs.changed"
  | "publishers.changed"
  | "encryption.changed"
  | "session.changed"
  | "dicom.changed"
  | "folders.changed"
  | "orders.changed";

type ProgramState = {
  readonly settings: Settings | null;
  readonly health: Health | null;
  /** The clinic's own reference ranges. */
  readonly ownRanges: readonly OwnRange[];
  readonly receiveRanges: (ranges: readonly OwnRange[]) => void;
  /** `starting` until the first answer; `signed-out`: open the address that the program printed. */
  readonly link: "starting" | "live" | "offline" | "signed-out";
  readonly setLink: (link: ProgramState["link"]) => void;
  /** Counts how often the program came back: what was asked meanwhile was not answered, and may have changed. */
  readonly returns: number;
  readonly receiveSettings: (settings: Settings) => void;
  readonly receiveHealth: (health: Health) => void;
  readonly receiveTroubles: (troubles: Health["troubles"]) => void;
  readonly receiveQueue: (isQueueFull: boolean) => void;
  /** Counts changes of things that only some screens show; those screens load again when it grows. */
  readonly changes: Readonly<Record<CountedEvent, number>>;
  readonly noteChange: (name: CountedEvent) => void;
  /** Any of them may have changed without this page being told. */
  readonly noteAllChanges: () => void;
  readonly load: () => Promise<void>;
  readonly save: (change: Partial<Settings>) => Promise<void>;
};

/** Of two changes the answer to the later one has both. */
const beginSettings = newestQuestion();

/** Settings, model health and the link to the program. */
export const useProgram = create<ProgramState>((set, get) => ({
  settings: null,
  health: null,
  ownRanges: [],
  receiveRanges: (ownRanges) => set({ ownRanges }),
  link: "starting",
  changes: {
    "server.changed": 0,
    "ledger.changed": 0,
    "screenings.changed": 0,
    "packs.changed": 0,
    "publishers.changed": 0,
    "encryption.changed": 0,
    "session.changed": 0,
    "dicom.changed": 0,
    "folders.changed": 0,
    "orders.changed": 0,
  },
  noteChange: (name) => set({ changes: { ...get().changes, [name]: get().changes[name] + 1 } }),
  noteAllChanges: () => (Object.keys(get().changes) as CountedEvent[]).forEach(get().noteChange),
  returns: 0,
  setLink: (link) =>
    set((before) => ({ link, returns: before.returns + (before.link === "offline" && link === "live" ? 1 : 0) })),
  receiveSettings: (settings) => {
    applyTheme(settings.theme);
    useLanguage.getState().setLanguage(settings.language, settings.locale);
    set({ settings });
  },
  receiveHealth: (health) => set({ health }),
  receiveTroubles: (troubles) => set(({ health }) => ({ health: health && { ...health, troubles } })),
  receiveQueue: (isQueueFull) => set(({ health }) => ({ health: health && { ...health, isQueueFull } })),
  load: async () => {
    const isNewest = beginSettings();
    const [settings, health, { ranges }] = await Promise.all([
      call("settings.get", {}),
      call("app.health", {}),
      call("ranges.list", {}),
    ]);
    if (isNewest()) get().receiveSettings(settings);
    usePreferences.getState().receive(settings.view);
    set({ health, ownRanges: ranges });
  },
  save: async (change) => {
    const isNewest = beginSettings();
    const settings = await call("settings.save", change);
    if (isNewest()) get().receiveSettings(settings);
  },
}));
