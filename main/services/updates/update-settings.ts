import { z } from "zod";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { changeFields, getSetting, type Changes, type Setting } from "../../store/settings.ts";

/** What is kept of updates from one run to the next. */
export type UpdateSettings = {
  readonly isAutomatic: boolean;
  readonly mirror: string;
  readonly laterUntilMs: number | null;
  /** Where this installation stands among all, 0–1; drawn once and told nobody. */
  readonly place: number | null;
};

const updatesSetting: Setting<UpdateSettings> = {
  key: "updates",
  isOfMachine: true,
  schema: z.object({
    isAutomatic: z.boolean(),
    mirror: z.string(),
    laterUntilMs: z.number().nullable(),
    place: z.number().nullable(),
  }),
  fallback: { isAutomatic: true, mirror: "", laterUntilMs: null, place: null },
  audit: "settings.changed",
  unaudited: ["laterUntilMs", "place"],
};

/** The settings as they stand. */
export function getUpdateSettings(db: ReadableDb): Promise<UpdateSettings> {
  return getSetting(db, updatesSetting);
}

/** Changes some of them and leaves the others. */
export function changeUpdateSettings(db: WritableDb, change: Changes<UpdateSettings>): Promise<UpdateSettings> {
  return changeFields(db, updatesSetting, change);
}

/** Where this installation stands among all, drawn where it has not been. */
export async function placeAmongAll(db: WritableDb): Promise<number> {
  const { place } = await getUpdateSettings(db);
  return place ?? (await changeUpdateSettings(db, { place: Math.random() })).place ?? 1;
}
