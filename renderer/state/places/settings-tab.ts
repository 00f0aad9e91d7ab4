import { create } from "zustand";
import { useNavigation } from "../navigation.ts";

/** The parts of the settings. */
export type SettingsTab =
  | "general"
  | "practice"
  | "server"
  | "dicom"
  | "folders"
  | "ranges"
  | "packs"
  | "backups"
  | "people"
  | "audit"
  | "about";

/** Which part of the settings is shown; the menu and other screens lead to one. */
export const useSettingsTab = create<{ readonly tab: SettingsTab; readonly setTab: (tab: SettingsTab) => void }>(
  (set) => ({
    tab: "general",
    setTab: (tab) => set({ tab }),
  }),
);

/** Goes to a part of the settings. */
export function showSettings(tab: SettingsTab): void {
  useSettingsTab.getState().setTab(tab);
  useNavigation.getState().go("settings");
}
