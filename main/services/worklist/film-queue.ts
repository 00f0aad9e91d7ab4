import { setTimeout as delay } from "node:timers/promises";
import { AppError, failureOf } from "../../../core/app-error.ts";
import { canMeasureAgain } from "../../../core/cardiac/capture/measured-again.ts";
import { temporaryFaultOf, temporaryFaultPauseMs, systemFaultOf } from "../../../core/system-fault.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import { transaction } from "../../store/engines/engine.ts";
import {
  findFilm,
  finishFilm,
  getFilm,
  queueFilm,
  requeueInterruptedFilms,
  setKeptImages,
  takeNextFilm,
  type FilmRow,
} from "../../store/films/films.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { DomainEvent } from "../domain-events.ts";
import { deleteFilmImages, readFilmImage } from "../desktop/film-images.ts";
import { carryDrawings } from "./drawings/carry-drawings.ts";
import { publishFilms } from "./film-events.ts";
import { measureRadiograph } from "../measuring/measure-radiograph.ts";
import { appendModelReading } from "./readings/model-reading.ts";
import { writeRectified } from "./rectified-image.ts";
import { shownPicture } from "./readings/shown-picture.ts";

/** Pause before a retry while API calls fill the inference queue [ms]. */
const busyPauseMs = 500;

/** The queue is in the store and survives a restart. */
export type FilmQueue = Awaited<ReturnType<typeof createFilmQueue>>;

export function isFilmQueued({ name, payload }: DomainEvent): boolean {
  return name === "film.changed" && payload.film.state === "queued";
}

export async function createFilmQueue(context: DesktopContext, retryMs = temporaryFaultPauseMs) {
  const closing = new AbortController();
  let current: { readonly filmId: string; readonly stop: AbortController } | null = null;
  let work: Promise<void> = Promise.resolve();
  let isAwake = false;
  let isCalledAgain = false;
  let again: NodeJS.Timeout | undefined;

  const tryAgain = () => {
    again = undefined;
    if (closing.signal.aborted) return;
    // The film in progress at the failure is still marked as being measured.
    work = work
      .then(() => requeueInterruptedFilms(context.db, { isStart: true }))
      .then(wake, (error: unknown) => {
        context.log.warn({ error }, "the queued films could not be requeued");
        again ??= setTimeout(tryAgain, retryMs).unref();
      });
  };
  const drain = async () => {
    try {
      isCalledAgain = false;
      for (let film = await nextFilm(); film !== null; film = await nextFilm()) {
        const stop = new AbortController();
        current = { filmId: film.id, stop };
        await measureFilm(context, film, AbortSignal.any([stop.signal, closing.signal]), closing.signal);
      }
    } catch (error) {
      // While the store cannot be written, films stay queued until a retry or restart.
      const known = temporaryFaultOf(error);
      if (known) {
        context.reportFault(failureOf(known));
        again ??= setTimeout(tryAgain, retryMs).unref();
      } else reportBug(context, error, "The films of the worklist cannot be measured; see the log");
    } finally {
      current = null;
      isAwake = false;
    }
    if (isCalledAgain) wake();
  };
  const wake = () => {
    // Check again, so that a film queued during the last check is not missed.
    isCalledAgain = isAwake;
    if (isAwake || closing.signal.aborted) return;
    isAwake = true;
    work = drain();
  };
  const leaveQueue = async (filmIds: readonly string[], find: typeof findFilm) => {
    await transaction(context.db, async () => {
      for (const filmId of filmIds) {
        const film = await find(context.db, filmId);
        if (film !== null && film.queueNumber !== null) await finishFilm(context.db, film.id, { state: "cancelled" });
      }
    });
    for (const filmId of filmIds) context.decodedFilm.release(filmId);
    if (current !== null && filmIds.includes(current.filmId)) current.stop.abort();
  };
  const nextFilm = async () => (closing.signal.aborted ? null : await takeNextFilm(context.db));

  await requeueInterruptedFilms(context.db, { isStart: true });
  return {
    wake,
    /** @throws AppError NOT_FOUND */
    async cancel(filmIds: readonly string[]) {
      await leaveQueue(filmIds, getFilm);
      await publishFilms(context, filmIds);
    },
    /** Ignores missing films. */
    letGo: (filmIds: readonly string[]) => leaveQueue(filmIds, findFilm),
    /** Films that cannot be measured again are unchanged. @throws AppError NOT_FOUND */
    async retry(filmIds: readonly string[]) {
      await transaction(context.db, async () => {
        for (const filmId of filmIds) {
          const film = await getFilm(context.db, filmId);
          if (canMeasureAgain(film)) await queueFilm(context.db, film.id);
        }
      });
      wake();
      await publishFilms(context, filmIds);
    },
    /** Requeues films of other workstations that have ended. */
    async takeOver() {
      if ((await requeueInterruptedFilms(context.db, { isStart: false })) > 0) wake();
    },
    /** The film in progress is queued again at the next start. */
    async close() {
      closing.abort();
      clearTimeout(again);
      await work;
    },
    async whenIdle() {
      do await work;
      while (isAwake);
    },
  };
}

async function measureFilm(
  context: DesktopContext,
  film: FilmRow,
  signal: AbortSignal,
  closing: AbortSignal,
): Promise<void> {
  await publishFilms(context, [film.id]);
  try {
    const bytes = await readFilmImage(context, film.sha256, "original");
    const measurement = await measureWhenFree(context, film, bytes, signal);
    const isWanted = await recordWithCut(context, film, bytes, measurement, signal);
    // Another workstation may have removed the film in the meantime.
    if (!isWanted) await deleteFilmImages(context, film);
  } catch (error) {
    // Temporary faults do not concern the film.
    if (temporaryFaultOf(error) !== null) throw error;
    await ifStillMeasured(context, film, signal, () => recordFailure(context, film, error));
  }
  // A film interrupted by the program's end stays queued.
  if (!closing.aborted) await publishFilms(context, [film.id]);
}

/** A film may be cancelled, removed or read from a result file in the meantime. */
async function ifStillMeasured(
  { db }: DesktopContext,
  { id }: FilmRow,
  signal: AbortSignal,
  record: () => Promise<void>,
): Promise<boolean> {
  return await transaction(db, async () => {
    const isWanted = !signal.aborted && (await findFilm(db, id))?.state === "measuring";
    if (isWanted) await record();
    return isWanted;
  });
}

/** Waits while API calls fill the inference queue, instead of failing. */
async function measureWhenFree(
  context: DesktopContext,
  { id, frameIndex }: FilmRow,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<RadiographMeasurement> {
  const image = context.decodedFilm.release(id);
  let isWaiting = false;
  const publishFull = (isFull: boolean) => {
    if (isWaiting !== isFull) context.publish({ name: "queue.changed", payload: { isFull } });
    isWaiting = isFull;
  };
  try {
    for (;;) {
      try {
        return await measureRadiograph(context, bytes, { frameIndex, signal, image });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "BUSY") throw error;
      }
      publishFull(true);
      await delay(busyPauseMs, undefined, { signal });
    }
  } finally {
    publishFull(false);
  }
}

/** A new rectified film is stored only together with the reading whose points refer to it. */
async function recordWithCut(
  context: DesktopContext,
  film: FilmRow,
  bytes: Uint8Array,
  measurement: RadiographMeasurement,
  signal: AbortSignal,
): Promise<boolean> {
  const corners = measurement.kind === "measured" ? measurement.corners : null;
  const cut = corners && (await writeRectified(context, film, bytes, corners));
  try {
    return await ifStillMeasured(context, film, signal, async () => {
      await recordMeasurement(context, film, measurement);
      await cut?.keep();
    });
  } finally {
    await cut?.drop();
  }
}

async function recordMeasurement(
  context: DesktopContext,
  film: FilmRow,
  measurement: RadiographMeasurement,
): Promise<void> {
  const hasRectified = measurement.kind === "measured" && measurement.corners !== null;
  const before = await shownPicture(context.db, film);
  await appendModelReading(context, film.id, measurement);
  await setKeptImages(context.db, film.id, { hasImage: true, hasRectified });
  await carryDrawings(context, film.id, before);
  await finishFilm(context.db, film.id, { state: "done" });
}

async function recordFailure(context: DesktopContext, film: FilmRow, error: unknown): Promise<void> {
  const known = error instanceof AppError ? error : systemFaultOf(error);
  if (known === null) reportBug(context, error, "A film could not be measured; see the log");
  await finishFilm(context.db, film.id, { state: "failed", ...failureOf(known ?? new AppError("INTERNAL")) });
}

function reportBug(context: DesktopContext, error: unknown, message: string): void {
  context.log.error({ error }, message);
  context.reportFault({ code: "INTERNAL", message });
}
