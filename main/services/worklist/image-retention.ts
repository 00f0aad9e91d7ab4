import { dayMs } from "../../../core/durations.ts";
import { transaction } from "../../store/engines/engine.ts";
import { findFilm, listFilmsWithImage, setKeptImages, type FilmRow } from "../../store/films/films.ts";
import { hasOtherActivePrograms } from "../../store/machines/machines.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { deleteFilmImages } from "../desktop/film-images.ts";
import { publishFilms } from "./film-events.ts";
import { z } from "zod";
import type { WritableDb } from "../../store/connection.ts";
import { getSetting, saveSetting, type Setting } from "../../store/settings.ts";

/** @see selectOutdated */
export async function applyImageRetention(
  context: DesktopContext,
  isStart: boolean,
  needed: readonly string[] = [],
): Promise<void> {
  await deleteImages(context, await selectOutdated(context, isStart, needed));
}

/**
 * Selects films whose images are due for deletion, except queued ones, and records the time of the check.
 *
 * @param isStart  whether images kept only while the program is open are due, unless other workstations are running
 * @param needed   ids of films that keep their images
 */
export async function selectOutdated(
  context: DesktopContext,
  isStart: boolean,
  needed: readonly string[] = [],
): Promise<readonly FilmRow[]> {
  const nowMs = context.now().getTime();
  const isTrusted = await recordDateCheck(context.db, nowMs);
  const { keepImages, keepImagesDays } = await getDesktopSettings(context.db);
  if (keepImages === "until_removed") return [];
  if (keepImages === "while_open" && (!isStart || (await hasOtherActivePrograms(context.db)))) return [];
  if (keepImages === "days" && !isTrusted) return [];
  const beforeMs = keepImages === "days" ? nowMs - keepImagesDays * dayMs : Number.MAX_SAFE_INTEGER;
  const kept = new Set(needed);
  return (await listFilmsWithImage(context.db, beforeMs)).filter(
    ({ id, queueNumber }) => queueNumber === null && !kept.has(id),
  );
}

/** Skips films queued or removed in the meantime. */
export async function deleteImages(context: DesktopContext, films: readonly FilmRow[]): Promise<void> {
  const { db } = context;
  for (const { id } of films) {
    const film = await transaction(db, async () => {
      const now = await findFilm(db, id);
      if (now === null || now.queueNumber !== null) return null;
      await setKeptImages(db, id, { hasImage: false, hasRectified: false });
      return now;
    });
    if (film === null) continue;
    await deleteFilmImages(context, film);
    await publishFilms(context, [id]);
  }
}

/** A larger advance since the last check indicates a clock that may be wrong [ms]. */
const maxPauseMs = 30 * dayMs;
/** Time after which such a clock is trusted [ms]. */
const doubtMs = 7 * dayMs;

type LastLook = { readonly atMs: number; readonly doubtedUntilMs: number | null };

const lastLookSetting: Setting<LastLook | null> = {
  key: "imagesLookedAt",
  schema: z.object({ atMs: z.number(), doubtedUntilMs: z.number().nullable() }).nullable(),
  fallback: null,
};

/**
 * A clock that is weeks ahead of the last check may be wrong; a workstation that was off for that long keeps its images
 * a week longer.
 *
 * @returns whether the date is reliable enough for deletions
 */
async function recordDateCheck(db: WritableDb, nowMs: number): Promise<boolean> {
  const last = await getSetting(db, lastLookSetting);
  const doubtedUntilMs = doubtAt(nowMs, last);
  await saveSetting(db, lastLookSetting, { atMs: nowMs, doubtedUntilMs });
  return doubtedUntilMs === null;
}

/** @returns time until which the date is doubted [ms] */
function doubtAt(nowMs: number, last: LastLook | null): number | null {
  // A first check has nothing to compare with, and a clock that was set back deletes fewer images.
  if (last === null || nowMs < last.atMs) return null;
  if (nowMs - last.atMs > maxPauseMs) return nowMs + doubtMs;
  return last.doubtedUntilMs !== null && nowMs < last.doubtedUntilMs ? last.doubtedUntilMs : null;
}
