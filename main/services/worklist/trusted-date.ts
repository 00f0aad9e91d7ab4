import { z } from "zod";
import { dayMs } from "../../../core/durations.ts";
import type { WritableDb } from "../../store/connection.ts";
import { getSetting, saveSetting, type Setting } from "../../store/settings.ts";

/** A larger advance since the last check indicates a clock that may be wrong [ms]. */
const longestPauseMs = 30 * dayMs;
/** Time after which such a clock is trusted [ms]. */
const doubtMs = 7 * dayMs;

type LastLook = { readonly atMs: number; readonly doubtedUntilMs: number | null };

const lastLookSetting: Setting<LastLook | null> = {
  key: "imagesLookedAt",
  isOfMachine: true,
  schema: z.object({ atMs: z.number(), doubtedUntilMs: z.number().nullable() }).nullable(),
  fallback: null,
};

/**
 * Whether the date is reliable enough for deletions. A clock weeks after the last check may be wrong; a workstation off
 * for so long keeps images a week longer.
 */
export async function isDateTrusted(db: WritableDb, nowMs: number): Promise<boolean> {
  const last = await getSetting(db, lastLookSetting);
  const doubtedUntilMs = doubtAt(nowMs, last);
  await saveSetting(db, lastLookSetting, { atMs: nowMs, doubtedUntilMs });
  return doubtedUntilMs === null;
}

/** @returns until when the date is doubted; null when it is not */
function doubtAt(nowMs: number, last: LastLook | null): number | null {
  // Without a previous check there is no comparison, and a clock set back deletes fewer images.
  if (last === null || nowMs < last.atMs) return null;
  if (nowMs - last.atMs > longestPauseMs) return nowMs + doubtMs;
  return last.doubtedUntilMs !== null && nowMs < last.doubtedUntilMs ? last.doubtedUntilMs : null;
}
