import { setTimeout as delay } from "node:timers/promises";
import { AppError, failureOf } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
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
import { readFilmImage, saveFilmImage } from "../desktop/film-files.ts";
import { publishFilm } from "./films.ts";
import { measureRadiograph } from "../measuring/measure-radiograph.ts";
import { appendModelReading } from "./model-reading.ts";
import { rectifiedJpeg } from "../measuring/rectified-film.ts";

/** How long to wait before asking again for a place in front of the networks while API calls hold all of them [ms]. */
const busyPauseMs = 500;

/** Measures the films of the worklist one after the other. The queue itself is in the store and survives a restart. */
export type FilmQueue = {
  /** Looks for waiting films; called whenever one was queued. */
  wake(): void;
  /** Takes films out of the queue, or stops their measuring. @throws AppError NOT_FOUND */
  cancel(filmIds: readonly string[]): Film[];
  /** Queues films again whose image is kept. @throws AppError NOT_FOUND */
  retry(filmIds: readonly string[]): Film[];
  /** Stops; the film under way waits again at the next start. */
  close(): Promise<void>;
  /** Resolves when nothing waits any more. */
  whenIdle(): Promise<void>;
};

export function createFilmQueue(context: DesktopContext): FilmQueue {
  const closing = new AbortController();
  let current: { readonly filmId: string; readonly stop: AbortController } | null = null;
  let work: Promise<void> = Promise.resolve();
  let isAwake = false;

  const drain = async () => {
    try {
      for (let film = nextFilm(); film !== null; film = nextFilm()) {
        const stop = new AbortController();
        current = { filmId: film.id, stop };
        await measureFilm(context, film, AbortSignal.any([stop.signal, closing.signal]), closing.signal);
      }
    } catch (error) {
      // A store that cannot be written: the films wait in it until the next one is opened or the program starts again.
      const known = systemFaultOf(error);
      if (known) context.reportFault({ at: context.now().toISOString(), ...failureOf(known) });
      else reportBug(context, error, "The films of the worklist cannot be measured; the log says why");
    } finally {
      current = null;
      isAwake = false;
    }
  };
  const nextFilm = () => (closing.signal.aborted ? null : takeNextFilm(context.db));

  requeueInterruptedFilms(context.db);
  return {
    wake() {
      if (isAwake || closing.signal.aborted) return;
      isAwake = true;
      work = drain();
    },
    cancel(filmIds) {
      return filmIds.map((filmId) => {
        const film = getFilm(context.db, filmId);
        if (film.queueNumber !== null) finishFilm(context.db, film.id, { state: "cancelled" });
        if (current?.filmId === filmId) current.stop.abort();
        return publishFilm(context, filmId);
      });
    },
    retry(filmIds) {
      for (const filmId of filmIds) queueFilm(context.db, getFilm(context.db, filmId).id);
      this.wake();
      return filmIds.map((filmId) => publishFilm(context, filmId));
    },
    async close() {
      closing.abort();
      await work;
    },
    async whenIdle() {
      await work;
    },
  };
}

async function measureFilm(
  context: DesktopContext,
  film: FilmRow,
  signal: AbortSignal,
  closing: AbortSignal,
): Promise<void> {
  publishFilm(context, film.id);
  try {
    const bytes = await readFilmImage(context.dataDir, film.sha256, "original");
    const measurement = await measureWhenFree(context, bytes, film.frameIndex, signal);
    await keepRectifiedFilm(context, film, bytes, measurement);
    if (!signal.aborted) recordMeasurement(context, film, measurement);
  } catch (error) {
    if (!signal.aborted) recordFailure(context, film, error);
  }
  // A film that was taken off the worklist meanwhile has nobody to tell, and one that the program's end interrupted
  // goes on waiting.
  if (!closing.aborted && findFilm(context.db, film.id)) publishFilm(context, film.id);
}

/** API calls may fill the queue; a film of the worklist then waits instead of failing. */
async function measureWhenFree(
  context: DesktopContext,
  bytes: Uint8Array,
  frameIndex: number,
  signal: AbortSignal,
): Promise<RadiographMeasurement> {
  let isWaiting = false;
  const tell = (isFull: boolean) => {
    if (isWaiting !== isFull) context.publish({ name: "queue.changed", payload: { isFull } });
    isWaiting = isFull;
  };
  try {
    for (;;) {
      try {
        return await measureRadiograph(context, bytes, { frameIndex, signal });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "BUSY") throw error;
      }
      tell(true);
      await delay(busyPauseMs, undefined, { signal });
    }
  } finally {
    tell(false);
  }
}

async function keepRectifiedFilm(
  context: DesktopContext,
  film: FilmRow,
  bytes: Uint8Array,
  measurement: RadiographMeasurement,
): Promise<void> {
  if (measurement.kind !== "measured" || measurement.corners === null) return;
  await saveFilmImage(
    context.dataDir,
    film.sha256,
    "rectified",
    await rectifiedJpeg(context.dicom, bytes, film.frameIndex, measurement.corners),
    film.frameIndex,
  );
}

function recordMeasurement(context: DesktopContext, film: FilmRow, measurement: RadiographMeasurement): void {
  const hasRectified = measurement.kind === "measured" && measurement.corners !== null;
  const record = context.db.transaction(() => {
    appendModelReading(context, film.id, measurement);
    setKeptImages(context.db, film.id, { hasImage: true, hasRectified });
    finishFilm(context.db, film.id, { state: "done" });
  });
  record.immediate();
}

function recordFailure(context: DesktopContext, film: FilmRow, error: unknown): void {
  const known = error instanceof AppError ? error : systemFaultOf(error);
  if (known !== null) {
    finishFilm(context.db, film.id, { state: "failed", ...failureOf(known) });
    return;
  }
  reportBug(context, error, "A film could not be measured; the log says why");
  finishFilm(context.db, film.id, { state: "failed", ...failureOf(new AppError("INTERNAL")) });
}

function reportBug(context: DesktopContext, error: unknown, message: string): void {
  context.log.error({ error }, message);
  context.reportFault({ at: context.now().toISOString(), code: "INTERNAL", message });
}
