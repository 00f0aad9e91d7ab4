import type { PlainKey } from "../../core/language/catalogue.ts";
import type { SettingsTab } from "../state/places/settings-tab.ts";

/** The parts of the settings in groups, in the order shown. */
export const settingsGroups = [
  { name: "clinic", tabs: ["general", "people", "ranges", "audit"] },
  { name: "connections", tabs: ["dicom", "folders", "server"] },
  { name: "data", tabs: ["practice", "backups"] },
  { name: "program", tabs: ["packs", "about"] },
] as const satisfies readonly { readonly name: string; readonly tabs: readonly SettingsTab[] }[];

/** Name of each part, and what the search finds in it. */
export const settingsIndex: Readonly<
  Record<SettingsTab, { readonly name: PlainKey; readonly words: readonly PlainKey[] }>
> = {
  general: {
    name: "settings.tabGeneral",
    words: [
      "settings.appearance",
      "settings.language",
      "settings.numbersAndDates",
      "settings.theme",
      "settings.startsAtLogIn",
      "settings.shortcuts",
      "settings.userName",
      "settings.clinicName",
      "settings.clinicCode",
      "report.address",
      "report.logo",
      "settings.measuresOnArrival",
      "settings.keepImages",
      "sample.title",
    ],
  },
  people: {
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
  ranges: { name: "ranges.tab", words: ["ranges.addTitle", "ranges.breed"] },
  audit: { name: "people.auditTab", words: ["audit.who", "audit.when"] },
  dicom: {
    name: "dicom.tab",
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
    name: "folders.tab",
    words: ["folders.watched", "folders.outbox", "hl7.title", "hl7.isOn", "hl7.tls", "common.port"],
  },
  server: {
    name: "settings.tabServer",
    words: [
      "settings.address",
      "settings.hostNames",
      "settings.plainHttp",
      "settings.certificate",
      "settings.requests",
    ],
  },
  practice: { name: "database.tab", words: ["database.now", "database.choose"] },
  backups: {
    name: "settings.tabBackups",
    words: ["settings.dataFolder", "settings.backups", "settings.outside", "settings.passphrase", "encryption.title"],
  },
  packs: { name: "settings.tabPacks", words: ["settings.importPack", "settings.publishers"] },
  about: {
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
};

/** A part of the settings that has the words sought, with the texts in which they occur. */
export type FoundTab = { readonly tab: SettingsTab; readonly texts: readonly string[] };

/** Parts whose name or settings contain every word of a search, in any order and case; all of them without a search. */
export function findSettings(
  search: string,
  tabs: readonly SettingsTab[],
  say: (key: PlainKey) => string,
): readonly FoundTab[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => folded(text).includes(word));
  return tabs.flatMap((tab) => {
    const { name, words: keys } = settingsIndex[tab];
    const texts = words.length === 0 ? [] : keys.map((key) => say(key)).filter(has);
    return texts.length > 0 || has(say(name)) ? [{ tab, texts }] : [];
  });
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
