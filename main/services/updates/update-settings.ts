import { z } from "zod";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { changeFields, getSetting, type Changes, type Setting } from "../../store/settings.ts";

const updateSettings = z.object({
  isAutomatic: z.boolean(),
  mirror: z.string(),
  laterUntilMs: z.number().nullable(),
  /** Position of this installation in a staged rollout, 0–1; drawn once and never sent. */
  place: z.number().nullable(),
});

export type UpdateSettings = Readonly<z.infer<typeof updateSettings>>;

const updatesSetting: Setting<UpdateSettings> = {
  key: "updates",
  schema: updateSettings,
  fallback: { isAutomatic: true, mirror: "", laterUntilMs: null, place: null },
  audit: "settings.changed",
  unaudited: ["laterUntilMs", "place"],
};

export function getUpdateSettings(db: ReadableDb): Promise<UpdateSettings> {
  return getSetting(db, updatesSetting);
}

export function changeUpdateSettings(db: WritableDb, change: Changes<UpdateSettings>): Promise<UpdateSettings> {
  return changeFields(db, updatesSetting, change);
}

export async function rolloutPosition(db: WritableDb): Promise<number> {
  const { place } = await getUpdateSettings(db);
  return place ?? (await changeUpdateSettings(db, { place: Math.random() })).place ?? 1;
}
