import { settings, type Settings } from "../../../core/contract/desktop/program.ts";
import type { ReadableDb } from "../../store/database.ts";
import { changeSetting, getSetting, type Setting } from "../../store/settings.ts";
import type { DesktopContext } from "./desktop-context.ts";

/** What holds until the user says otherwise. */
const defaultSettings: Settings = {
  isSetUp: false,
  language: "system",
  locale: "language",
  theme: "dark",
  userName: "",
  clinicName: "",
  clinicCode: "",
  clinicAddress: "",
  clinicLogo: "",
  shortcuts: {},
  keepImages: "until_removed",
  keepImagesDays: 90,
  measuresOnArrival: true,
  view: {},
};

/** Only what the user changed is stored, so that a setting of a later version begins with its default. */
export const changedSettings: Setting<SettingsChange> = {
  key: "desktop",
  schema: settings.partial(),
  fallback: {},
  audit: "settings.changed",
  unaudited: ["view", "shortcuts", "theme", "isSetUp"],
};

type SettingsChange = { readonly [K in keyof Settings]?: Settings[K] | undefined };

/** The user's settings. */
export async function getDesktopSettings(db: ReadableDb): Promise<Settings> {
  return merged(defaultSettings, await getSetting(db, changedSettings));
}

/** Saves the settings that changed and tells the page. */
export async function saveDesktopSettings(context: DesktopContext, changes: SettingsChange): Promise<Settings> {
  const changed = await changeSetting(context.db, changedSettings, (before) => merged(before, changes));
  const saved = merged(defaultSettings, changed);
  context.publish({ name: "settings.changed", payload: { settings: saved } });
  return saved;
}

function merged<T extends SettingsChange>(base: T, changes: SettingsChange): T {
  return { ...base, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) };
}
