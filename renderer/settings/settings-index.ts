import type { PlainKey } from "../../core/language/catalogue.ts";
import { searchedText } from "../../core/searched-text.ts";
import { settingsTabs, type SettingsTab } from "../state/places/settings-tab.ts";

const tabs = Object.keys(settingsTabs) as SettingsTab[];

export const settingsGroups = [...new Set(tabs.map((tab) => settingsTabs[tab].group))].map((name) => ({
  name,
  tabs: tabs.filter((tab) => settingsTabs[tab].group === name),
}));

export type FoundTab = { readonly tab: SettingsTab; readonly texts: readonly string[] };

/** Tabs whose name or settings contain every word of a search, in any order and case; all tabs without a search. */
export function findSettings(
  search: string,
  tabs: readonly SettingsTab[],
  say: (key: PlainKey) => string,
): readonly FoundTab[] {
  const words = searchedText(search).split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => searchedText(text).includes(word));
  return tabs.flatMap((tab) => {
    const { name, words: keys } = settingsTabs[tab];
    const texts = words.length === 0 ? [] : keys.map((key) => say(key)).filter(has);
    return texts.length > 0 || has(say(name)) ? [{ tab, texts }] : [];
  });
}
