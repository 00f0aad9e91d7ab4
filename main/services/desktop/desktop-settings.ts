import { initialSettings, ownerOfSetting, settings, type Settings } from "../../../core/contract/desktop/settings.ts";
import type { ReadableDb } from "../../store/database.ts";
import { transaction } from "../../store/engines/engine.ts";
import { changeSetting, getSetting, type Setting } from "../../store/settings.ts";
import type { DesktopContext } from "./desktop-context.ts";

type SettingsChange = { readonly [K in keyof Settings]?: Settings[K] | undefined };

/** Stores only changed values, so that settings added by a later version start with their defaults. */
export const machineSettings: Setting<SettingsChange> = {
  key: "desktop",
  schema: settings.partial(),
  fallback: {},
  audit: "settings.changed",
  unaudited: ["view", "shortcuts", "theme", "isSetUp"],
};
/** A shared store has a row for the practice; SQLite stores the settings of workstation and practice in one. */
const practiceSettings: Setting<SettingsChange> = { ...machineSettings, row: machineSettings.key };

export async function getDesktopSettings(db: ReadableDb): Promise<Settings> {
  const own = await getSetting(db, machineSettings);
  const shared = await getSetting(db, practiceSettings);
  return merged(merged(initialSettings, partOf(own, isOwn)), partOf(shared, isShared));
}

export async function saveDesktopSettings(context: DesktopContext, changes: SettingsChange): Promise<Settings> {
  const { db } = context;
  const save = async (setting: Setting<SettingsChange>, part: SettingsChange) => {
    if (Object.keys(part).length > 0) await changeSetting(db, setting, (before) => merged(before, part));
  };
  const saved = await transaction(db, async () => {
    await save(machineSettings, partOf(changes, isOwn));
    await save(practiceSettings, partOf(changes, isShared));
    return await getDesktopSettings(db);
  });
  context.raise({ name: "settings.changed", payload: { settings: saved } });
  return saved;
}

function isShared(field: string): boolean {
  return ownerOfSetting(field) === "practice";
}

function isOwn(field: string): boolean {
  return !isShared(field);
}

function partOf(changes: SettingsChange, isWanted: (field: string) => boolean): SettingsChange {
  return Object.fromEntries(Object.entries(changes).filter(([field]) => isWanted(field)));
}

function merged<T extends SettingsChange>(base: T, changes: SettingsChange): T {
  return { ...base, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) };
}
