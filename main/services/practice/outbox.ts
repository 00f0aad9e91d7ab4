import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FolderSettings } from "../../../core/contract/desktop/practice/folders.ts";
import { AppError } from "../../../core/app-error.ts";
import { isSampleFilm } from "../../../core/sample-study.ts";
import { engineOf, transaction } from "../../store/engines/engine.ts";
import { listFilms } from "../../store/films/listed-films.ts";
import {
  filmsForOutbox,
  saveWatchedOutcome,
  recordWritten,
  watchedOutcome,
  type ListedFile,
} from "../../store/films/watched-files.ts";
import { listMachines } from "../../store/machines/machines.ts";
import { getSetting, settingOf, watchedFoldersSetting } from "../../store/settings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { deleteAbandoned } from "../desktop/exports.ts";
import { recordSent } from "../results/exported-films.ts";
import { createGrowingPauses } from "./growing-pauses.ts";
import { sidecarsOf, type Sidecar } from "./sidecars.ts";

/** Writes results of films from watched folders, and of all other films if configured. */
type Outbox = {
  /**
   * Writes pending results; failures are retried on the next call.
   *
   * @returns whether the number of pending films decreased
   */
  write(isStopped: () => boolean): Promise<boolean>;
  /**
   * Adds films that are not from watched folders if configured.
   *
   * @returns ids of films with results pending on any workstation; empty if no results are to be written
   */
  collectUnwritten(): Promise<readonly string[]>;
  state(): Promise<{ readonly waiting: number; readonly lastWrittenAt: string | null }>;
};

/** Time for which user decisions on films without an image or removed from the worklist are still written [ms]. */
const decidedMs = 30 * 24 * 60 * 60 * 1000;

/** Interval of the cleanup after crashes, long because the folder may be large and slow [ms]. */
const tidyEveryMs = 60 * 60 * 1000;

/** Longest pause after a film's results could not be written [ms]. */
const maxPauseMs = 5 * 60_000;

/** @param firstPauseMs  pause after the first failure to write a film's results */
export function createOutbox(
  context: DesktopContext,
  settings: () => Promise<FolderSettings>,
  firstPauseMs: number,
): Outbox {
  let lastWrittenAt: string | null = null;
  const pauses = createGrowingPauses(firstPauseMs, maxPauseMs);
  let isFaultLogged = false;
  let tidiedAtMs = Number.NEGATIVE_INFINITY;
  const sinceMs = () => context.now().getTime() - decidedMs;
  const waiting = () => filmsForOutbox(context.db, sinceMs());
  const collect = async ({ outbox, formats, allFilmsSince }: FolderSettings) => {
    if (outbox === null || formats.length === 0) return [];
    if (allFilmsSince !== null) await saveOtherFilms(context, Date.parse(allFilmsSince));
    return await waiting();
  };
  return {
    state: async () => ({ waiting: (await waiting()).length, lastWrittenAt }),
    async collectUnwritten() {
      const own = await collect(await settings());
      return [...own, ...(await unwrittenElsewhere(context, sinceMs()))].map(({ filmId }) => filmId);
    },
    async write(isStopped) {
      const current = await settings();
      const { outbox, formats } = current;
      if (outbox === null) return false;
      if (Math.abs(context.now().getTime() - tidiedAtMs) >= tidyEveryMs) {
        await deleteAbandoned(outbox, isPartial).catch(() => undefined);
        tidiedAtMs = context.now().getTime();
      }
      let areFewer = false;
      for (const { filmId, fingerprint } of await collect(current)) {
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

/**
 * Lists results pending on other workstations, which may be off overnight. A removed workstation delays image deletion
 * no longer than `decidedMs`.
 */
async function unwrittenElsewhere({ db }: DesktopContext, decidedSinceMs: number) {
  const { machineId } = engineOf(db);
  const found: Awaited<ReturnType<typeof filmsForOutbox>>[number][] = [];
  for (const { id } of machineId === null ? [] : await listMachines(db)) {
    const { outbox, formats } = await getSetting(db, settingOf(id, watchedFoldersSetting));
    if (id !== machineId && outbox !== null && formats.length > 0)
      found.push(...(await filmsForOutbox(db, decidedSinceMs, id)).filter(({ atMs }) => atMs >= decidedSinceMs));
  }
  return found;
}

/** Films per page of the worklist, newest first. */
const lookedAtOnce = 200;

async function saveOtherFilms({ db, now }: DesktopContext, sinceMs: number): Promise<void> {
  let lastAtMs: number | null = null;
  for (let offset = 0; ; offset += lookedAtOnce) {
    const { rows } = await listFilms(db, { search: "", limit: lookedAtOnce, offset });
    const meant = rows.filter((film) => film.addedAtMs >= sinceMs);
    let others = 0;
    for (const film of meant) {
      if (isSampleFilm(film) || (await watchedOutcome(db, standInFor(film.id))) !== null) continue;
      await saveWatchedOutcome(db, standInFor(film.id), {
        outcome: "opened",
        filmIds: [film.id],
        atMs: now().getTime(),
      });
      others += 1;
    }
    // Films of one drop are listed in their order, so later ones may be on the next page.
    const continuesDrop = offset === 0 || meant[0]?.addedAtMs === lastAtMs;
    if (meant.length < lookedAtOnce || (others === 0 && !continuesDrop)) return;
    lastAtMs = meant.at(-1)?.addedAtMs ?? null;
  }
}

/** Key for films without a file in a watched folder. */
function standInFor(filmId: string): ListedFile {
  return { path: `film ${filmId}`, sizeBytes: 0, changedAtMs: 0 };
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
