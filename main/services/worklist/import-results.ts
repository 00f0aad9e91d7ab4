import { z } from "zod";
import { restoredReading, type RestoredReading } from "../../dicom/results/packed-readings.ts";
import type { ResultObject } from "../../dicom/results/read-result.ts";
import { processedSizePx } from "../../imaging/processed-size.ts";
import { transaction } from "../../store/engines/engine.ts";
import { listFilmsOfInstance, type FilmOfInstance } from "../../store/films/dicom/dicom-instances.ts";
import { finishFilm, type FilmRow } from "../../store/films/films.ts";
import { appendReading, hasReading, listReadings } from "../../store/films/readings.ts";
import { deleteWaitingResult, saveWaitingResult, listWaitingResults } from "../../store/films/waiting-results.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { toReading } from "./film-view.ts";
import { readingDetail, storedDetail, valuesOfDetail } from "./readings/reading-detail.ts";

const waitingReadings = z.array(restoredReading).min(1);

/**
 * Restores the readings of a result to their film, or stores them until it arrives.
 *
 * @returns the film; `resultKept` if its picture is not on the worklist, `resultOlder` if the film has a later reading
 */
export function restoreResult(
  context: DesktopContext,
  result: ResultObject,
): Promise<FilmRow | "resultKept" | "resultOlder"> {
  const { sopInstanceUid: filmSopInstanceUid, frameNumber } = result.film;
  return transaction(context.db, async () => {
    const films = await listFilmsOfInstance(context.db, filmSopInstanceUid, frameNumber - 1);
    const isShown = ({ film, removedAtMs }: FilmOfInstance) => removedAtMs === null && showsPicture(film, result);
    const film = films.find(isShown)?.film;
    if (film) return (await restoreReadings(context, film, result.readings)) ? film : "resultOlder";
    // A result without readings must not replace the same result with readings.
    if (result.readings.length > 0)
      await saveWaitingResult(context.db, {
        sopInstanceUid: result.sopInstanceUid,
        filmSopInstanceUid,
        frameIndex: frameNumber - 1,
        readings: JSON.stringify(result.readings),
        isExact: result.kind === "report" ? 0 : 1,
      });
    return "resultKept";
  });
}

/**
 * The most recent result comes last. If several contain a reading, the exact one is used. Results of another picture
 * with the same UID stay pending.
 */
export async function restoreWaitingResults(
  context: DesktopContext,
  film: FilmRow,
  sopInstanceUid: string,
): Promise<void> {
  const waiting = await listWaitingResults(context.db, sopInstanceUid, film.frameIndex);
  const results = waiting
    .map((result) => ({ ...result, readings: waitingReadings.parse(JSON.parse(result.readings)) }))
    .filter((result) => showsPicture(film, result));
  const exact = new Map(results.toReversed().flatMap(({ readings }) => readings.map((one) => [one.id, one] as const)));
  for (const result of results.toSorted((one, other) => inOrder(lastOf(one), lastOf(other)))) {
    const readings = result.readings.map((reading) => exact.get(reading.id) ?? reading);
    await restoreReadings(context, film, readings);
    await deleteWaitingResult(context.db, result.sopInstanceUid);
  }
}

/**
 * Appends missing readings and takes the film off the measuring queue.
 *
 * @returns false, without a change, if the film has a reading later than the result's last one
 */
async function restoreReadings(
  context: DesktopContext,
  film: FilmRow,
  readings: readonly RestoredReading[],
): Promise<boolean> {
  const ofFilm = readings.filter((reading) => isOfFilm(film, reading) && isSigned(reading));
  const last = ofFilm.at(-1);
  if (!last || (await hasReading(context.db, last.id))) return true;
  const existing = await listReadings(context.db, film.id);
  if (existing.some((reading) => inOrder(last, toReading(reading)) < 0)) return false;
  for (const reading of ofFilm) {
    if (await hasReading(context.db, reading.id)) continue;
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
  }
  await finishFilm(context.db, film.id, { state: "done" });
  return true;
}

type Dated = Pick<RestoredReading, "source" | "at" | "undoneAt">;

/** By time; decisions of users, including an undo, follow the proposals of the networks. */
function inOrder(one: Dated, other: Dated): number {
  const isDecision = ({ source, undoneAt }: Dated) => Number(source === "person" || undoneAt !== undefined);
  const countsFromMs = ({ at, undoneAt = at }: Dated) => Date.parse(undoneAt);
  return isDecision(one) - isDecision(other) || countsFromMs(one) - countsFromMs(other);
}

function lastOf({ readings }: Pick<ResultObject, "readings">): RestoredReading {
  return readings.at(-1) as RestoredReading;
}

/** Some devices assign UIDs twice. */
function showsPicture(film: FilmRow, { readings }: Pick<ResultObject, "readings">): boolean {
  return readings.length === 0 || readings.some((reading) => isOfFilm(film, reading));
}

/** Points of a photograph refer to its rectified film, which is not transferred. */
function isOfFilm(film: FilmRow, { frame, popDetected }: RestoredReading): boolean {
  const { widthPx, heightPx } = processedSizePx(film);
  return !popDetected && frame.widthPx === widthPx && frame.heightPx === heightPx;
}

function isSigned({ source, verdict, who }: RestoredReading): boolean {
  return source === "person" ? verdict !== null && who !== null : verdict === null && who === null;
}
