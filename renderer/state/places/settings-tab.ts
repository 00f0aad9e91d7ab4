import { create } from "zustand";
import { namesOfSettings } from "../../../core/contract/desktop/settings.ts";
import type { PlainKey } from "../../../core/language/catalogue.ts";
import { useNavigation } from "../navigation.ts";

type Row = {
  /** Group in the menu; groups appear in the order of their first rows. */
  readonly group: string;
  readonly help: string;
  readonly name: PlainKey;
  /** Settings that the search finds. */
  readonly words: readonly PlainKey[];
};

export const settingsTabs = {
  general: {
    group: "clinic",
    help: "settings",
    name: "settings.tabGeneral",
    words: [
      "settings.appearance",
      ...new Set(Object.values(namesOfSettings).filter((name) => name !== null)),
      "settings.startsAtLogIn",
      "sample.title",
    ],
  },
  people: {
    group: "clinic",
    help: "people",
    name: "people.tab",
    words: [
      "people.introTitle",
      "people.turnOn",
      "people.lockAfter",
      "people.add",
      "people.ownSecret",
      "people.browsers",
    ],
  },
  ranges: {
    group: "clinic",
    help: "settings",
    name: "ranges.tab",
    words: ["ranges.addTitle", "films.breed"],
  },
  audit: {
    group: "clinic",
    help: "people",
    name: "people.auditTab",
    words: ["audit.who", "audit.when"],
  },
  dicom: {
    group: "connections",
    help: "dicom",
    name: "dicom.kind_dimse",
    words: [
      "dicom.isOn",
      "dicom.ownTitle",
      "common.port",
      "dicom.security",
      "dicom.allowedTitles",
      "dicom.allowedAddresses",
      "dicom.addNode",
      "dicom.log",
    ],
  },
  folders: {
    group: "connections",
    help: "folders",
    name: "folders.tab",
    words: ["folders.watched", "folders.outbox", "hl7.title", "hl7.isOn", "hl7.tls", "common.port"],
  },
  server: {
    group: "connections",
    help: "integrators",
    name: "settings.tabServer",
    words: ["common.address", "settings.hostNames", "settings.plainHttp", "settings.certificate", "settings.requests"],
  },
  practice: {
    group: "data",
    help: "practice",
    name: "database.name",
    words: ["database.now", "database.choose"],
  },
  backups: {
    group: "data",
    help: "backups",
    name: "settings.tabBackups",
    words: ["settings.dataFolder", "settings.backups", "settings.outside", "settings.passphrase", "encryption.title"],
  },
  packs: {
    group: "program",
    help: "packs",
    name: "settings.tabPacks",
    words: ["settings.importPack", "settings.publishers"],
  },
  about: {
    group: "program",
    help: "it",
    name: "settings.tabAbout",
    words: [
      "updates.title",
      "settings.licences",
      "settings.trainingSources",
      "settings.faults",
      "settings.support",
      "settings.runtime",
    ],
  },
} as const satisfies Readonly<Record<string, Row>>;
export type SettingsTab = keyof typeof settingsTabs;

export const useSettingsTab = create<{ readonly tab: SettingsTab; readonly setTab: (tab: SettingsTab) => void }>(
  (set) => ({
    tab: "general",
    setTab: (tab) => set({ tab }),
  }),
);

export function showSettings(tab: SettingsTab): void {
  useSettingsTab.getState().setTab(tab);
  useNavigation.getState().go("settings");
}
