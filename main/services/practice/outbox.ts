import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FolderSettings } from "../../../core/contract/desktop/practice/folders.ts";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { engineOf, transaction } from "../../store/engines/engine.ts";
import { filmsForOutbox, recordWritten } from "../../store/films/watched-files.ts";
import { listMachines } from "../../store/machines/machines.ts";
import { getSetting, settingOf, watchedFoldersSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { deleteAbandoned } from "../desktop/exports.ts";
import { recordSent } from "../results/exported-films.ts";
import { createGrowingPauses } from "./growing-pauses.ts";
import { sidecarsOf, type Sidecar } from "./sidecars.ts";

/** Time for which user decisions on films without an image or removed from the worklist are still written [ms]. */
const decidedMs = 30 * 24 * 60 * 60 * 1000;

/** Long because the folder may be large and slow. */
const tidyEveryMs = 60 * 60 * 1000;

const maxPauseMs = 5 * 60_000;

export function createOutbox(context: DesktopContext, settings: () => Promise<FolderSettings>, firstPauseMs: number) {
  let lastWrittenAt: string | null = null;
  const pauses = createGrowingPauses(firstPauseMs, maxPauseMs);
  let isFaultLogged = false;
  let tidiedAtMs = Number.NEGATIVE_INFINITY;
  const sinceMs = () => context.now().getTime() - decidedMs;
  const pending = (current: FolderSettings) => pendingOf(context.db, current, sinceMs());
  return {
    state: async () => ({ waiting: (await pending(await settings())).length, lastWrittenAt }),
    /** Lists films with results pending on any workstation. */
    async listUnwritten() {
      const own = await pending(await settings());
      return [...own, ...(await pendingElsewhere(context.db, sinceMs()))].map(({ filmId }) => filmId);
    },
    /** Failures are retried on the next call. @returns whether the number of pending films decreased */
    async write(isStopped: () => boolean) {
      const current = await settings();
      const { outbox, formats } = current;
      if (outbox === null) return false;
      if (Math.abs(context.now().getTime() - tidiedAtMs) >= tidyEveryMs) {
        await deleteAbandoned(outbox, isPartial).catch(() => undefined);
        tidiedAtMs = context.now().getTime();
      }
      let areFewer = false;
      for (const { filmId, fingerprint } of await pending(current)) {
        if (isStopped()) break;
        const what = `${fingerprint} ${outbox}`;
        if (!pauses.isOver(what)) continue;
        try {
          const written = await writeAll(outbox, await sidecarsOf(context, filmId, formats));
          await transaction(context.db, async () => {
            await recordWritten(context.db, filmId, fingerprint);
            if (written.length > 0) await recordSent(context, filmId, { formats: written.join(", ") });
          });
          pauses.forget(what);
          [areFewer, isFaultLogged] = [true, false];
          if (written.length > 0) lastWrittenAt = context.now().toISOString();
        } catch (error) {
          pauses.noteFailure(what);
          // Logs once, not every few seconds.
          if (!isFaultLogged) context.log.warn({ code: codeOf(error) }, "results could not be written to the outbox");
          isFaultLogged = true;
        }
      }
      return areFewer;
    },
  };
}

async function pendingOf(
  db: ReadableDb,
  { outbox, formats, allFilmsSince }: FolderSettings,
  decidedSinceMs: number,
  machine: { readonly machineId?: string } = {},
) {
  if (outbox === null || formats.length === 0) return [];
  const otherFilmsSinceMs = allFilmsSince === null ? null : Date.parse(allFilmsSince);
  return await filmsForOutbox(db, { decidedSinceMs, otherFilmsSinceMs, ...machine });
}

/** Other workstations may be off overnight. A removed one delays image deletion no longer than `decidedMs`. */
async function pendingElsewhere(db: ReadableDb, decidedSinceMs: number) {
  const own = engineOf(db).machineId;
  if (own === null) return [];
  const others = (await listMachines(db)).filter(({ id }) => id !== own);
  const pending = others.map(async ({ id: machineId }) => {
    const settings = await getSetting(db, settingOf(machineId, watchedFoldersSetting));
    return await pendingOf(db, settings, decidedSinceMs, { machineId });
  });
  return (await Promise.all(pending)).flat().filter(({ atMs }) => atMs >= decidedSinceMs);
}

/** @returns formats of the files written */
async function writeAll(outbox: string, files: readonly Sidecar[]): Promise<readonly string[]> {
  const written: string[] = [];
  for (const { fileName, bytes } of files) {
    const file = path.join(outbox, fileName);
    if (bytes === null) await rm(file, { force: true });
    else {
      await writeWhole(file, bytes);
      written.push(path.extname(fileName).slice(1));
    }
  }
  return written;
}

/** Writes and renames a file, so that readers never see a partial one. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const unfinished = path.join(path.dirname(file), `.corvet-${randomUUID()}.tmp`);
  try {
    await writeFile(unfinished, bytes, { flag: "wx", flush: true });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function isPartial(name: string): boolean {
  return /^\.corvet-[0-9a-f-]{36}\.tmp$/.test(name);
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
