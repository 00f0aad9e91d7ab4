import { z } from "zod";
import { restoredReading, type RestoredReading } from "../../dicom/results/packed-readings.ts";
import type { ResultObject } from "../../dicom/results/read-result.ts";
import { processedSizePx } from "../../imaging/processed-size.ts";
import { transaction } from "../../store/engines/engine.ts";
import { findFilmBySopInstance } from "../../store/films/dicom/dicom-instances.ts";
import { finishFilm, type FilmRow } from "../../store/films/films.ts";
import { appendReading, hasReading } from "../../store/films/readings.ts";
import { deleteWaitingResults, keepWaitingResult, listWaitingReadings } from "../../store/films/waiting-results.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { readingDetail, storedDetail, valuesOfDetail } from "./readings/reading-detail.ts";

/**
 * Restores the readings of a result to their original film, or stores them until the film arrives.
 *
 * @returns the film; null if not on the worklist
 */
export function restoreResult(context: DesktopContext, result: ResultObject): Promise<FilmRow | null> {
  const { sopInstanceUid: filmSopInstanceUid, frameNumber } = result.film;
  return transaction(context.db, async () => {
    const film = await findFilmBySopInstance(context.db, filmSopInstanceUid, frameNumber - 1);
    if (film !== null) await restoreReadings(context, film, result.readings);
    // A result without readings must not replace the same result with readings.
    else if (result.readings.length > 0)
      await keepWaitingResult(context.db, {
        sopInstanceUid: result.sopInstanceUid,
        filmSopInstanceUid,
        frameIndex: frameNumber - 1,
        readings: JSON.stringify(result.readings),
        isExact: result.kind === "report" ? 0 : 1,
      });
    return film;
  });
}

/**
 * Restores pending readings of a film that has arrived, in their original order. If several results contain a reading,
 * the exact one is used.
 */
export async function restoreWaitingResults(
  context: DesktopContext,
  film: FilmRow,
  sopInstanceUid: string,
): Promise<void> {
  const readings = new Map<string, RestoredReading>();
  for (const waiting of await listWaitingReadings(context.db, sopInstanceUid, film.frameIndex))
    for (const reading of z.array(restoredReading).parse(JSON.parse(waiting)))
      if (!readings.has(reading.id)) readings.set(reading.id, reading);
  const inTime = [...readings.values()].toSorted((one, other) => countsFromMs(one) - countsFromMs(other));
  await restoreReadings(context, film, inTime);
  await deleteWaitingResults(context.db, sopInstanceUid, film.frameIndex);
}

/** Appends the film's missing readings. Such a film is not measured again. */
async function restoreReadings(
  context: DesktopContext,
  film: FilmRow,
  readings: readonly RestoredReading[],
): Promise<void> {
  let restored = 0;
  for (const reading of readings) {
    if (!isOfFilm(film, reading) || !isSigned(reading) || (await hasReading(context.db, reading.id))) continue;
    const { id, source, verdict, at, who, remark, resultCode, tier } = reading;
    await appendReading(context.db, {
      id,
      filmId: film.id,
      source,
      verdict,
      atMs: Date.parse(at),
      who,
      remark,
      resultCode,
      tier,
      values: valuesOfDetail(reading),
      detail: storedDetail(readingDetail.parse(reading)),
    });
    restored += 1;
  }
  if (restored > 0) await finishFilm(context.db, film.id, { state: "done" });
}

/** Time at which a reading was made, or became the current one again. */
function countsFromMs({ at, undoneAt = at }: RestoredReading): number {
  return Date.parse(undoneAt);
}

/**
 * Points refer to a picture of one size. Those of a photograph refer to its rectified film, which is not transferred.
 */
function isOfFilm(film: FilmRow, { frame, popDetected }: RestoredReading): boolean {
  const { widthPx, heightPx } = processedSizePx(film);
  return !popDetected && frame.widthPx === widthPx && frame.heightPx === heightPx;
}

function isSigned({ source, verdict, who }: RestoredReading): boolean {
  return source === "person" ? verdict !== null && who !== null : verdict === null && who === null;
}
