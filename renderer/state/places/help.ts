import { create } from "zustand";
import { useNavigation, type Screen } from "../navigation.ts";
import { settingsTabs, useSettingsTab } from "./settings-tab.ts";

/** Pages of the manual, in the order of its contents; each is a file in docs/manual/<language>. */
export const helpPages = [
  "start",
  "films",
  "orders",
  "reading",
  "drawing",
  "marks",
  "exporting",
  "values",
  "trends",
  "urine",
  "capture",
  "agreement",
  "ledger",
  "settings",
  "people",
  "practice",
  "dicom",
  "folders",
  "packs",
  "backups",
  "encryption",
  "notices",
  "keyboard",
  "integrators",
  "it",
] as const;
export type HelpPage = (typeof helpPages)[number];

export const helpOfScreen: Readonly<Record<Exclude<Screen, "settings">, HelpPage>> = {
  films: "films",
  trends: "trends",
  usg: "urine",
  capture: "capture",
  agreement: "agreement",
  ledger: "ledger",
};

type HelpState = {
  readonly page: HelpPage | null;
  readonly open: (page: HelpPage) => void;
  readonly openHere: () => void;
  readonly close: () => void;
};

export const useHelp = create<HelpState>((set) => ({
  page: null,
  open: (page) => set({ page }),
  openHere: () => {
    const { screen } = useNavigation.getState();
    set({ page: screen === "settings" ? settingsTabs[useSettingsTab.getState().tab].help : helpOfScreen[screen] });
  },
  close: () => set({ page: null }),
}));
