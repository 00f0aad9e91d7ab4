import { z } from "zod";
import { sendFailure, type SendFailure } from "../../../../core/contract/desktop/dicom.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { hl7Destination, type Hl7Destination } from "../../../../core/contract/desktop/hl7.ts";
import { listFilms } from "../../../store/films/listed-films.ts";
import { getLatestReading } from "../../../store/films/readings.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { getSetting, saveSetting, type Setting } from "../../../store/settings.ts";
import { filmNote } from "../../desktop/film-notes.ts";

/** Nothing is sent until the user names a receiver. 2575 is MLLP's registered port. */
export const hl7DestinationSetting: Setting<Hl7Destination> = {
  key: "hl7Destination",
  schema: hl7Destination,
  fallback: { isOn: false, host: "", port: 2575, application: "", facility: "", results: "decided", tls: null },
  audit: "settings.changed",
};

const waitingResult = z.object({
  filmId: z.string(),
  readingId: z.string(),
  attempts: z.int(),
  nextAtMs: z.int(),
  failure: sendFailure.nullable(),
});
/** A film's result on its way. */
export type WaitingResult = Readonly<z.infer<typeof waitingResult>>;

const waitingSetting: Setting<readonly WaitingResult[]> = {
  key: "hl7Waiting",
  schema: z.array(waitingResult),
  fallback: [],
};
/** Since when results are sent; what was read before was never meant to be. */
const sinceSetting: Setting<number | null> = { key: "hl7Since", schema: z.int().nullable(), fallback: null };

/** Pauses between attempts [ms]; the last one repeats. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** Films that are looked through at the start of the program. */
const mostFilms = 1000;

function sentNote(filmId: string): Setting<string | null> {
  return filmNote("hl7", filmId, { schema: z.string().nullable(), fallback: null });
}

/** What waits, the oldest first. */
export function listWaiting(db: ReadableDb): readonly WaitingResult[] {
  return getSetting(db, waitingSetting);
}

/** From now on results are sent, or no longer; what waits then waits no more. */
export function saveDestination(db: WritableDb, destination: Hl7Destination, nowMs: number): void {
  const wasOn = getSetting(db, hl7DestinationSetting).isOn;
  saveSetting(db, hl7DestinationSetting, destination);
  if (destination.isOn !== wasOn) saveSetting(db, sinceSetting, destination.isOn ? nowMs : null);
  if (!destination.isOn) saveSetting(db, waitingSetting, []);
}

/**
 * A film's reading that counts waits to be sent, in the place of an earlier one.
 *
 * @returns whether it does
 */
export function noteResult(db: WritableDb, { id: filmId, reading }: Pick<Film, "id" | "reading">): boolean {
  const { isOn, results } = getSetting(db, hl7DestinationSetting);
  if (!isOn || reading === null || (results === "decided" && reading.verdict === null)) return false;
  const waiting = listWaiting(db);
  const { readingId } = reading;
  const isKnown = waiting.some((one) => one.readingId === readingId) || getSetting(db, sentNote(filmId)) === readingId;
  if (isKnown) return false;
  const result = { filmId, readingId, attempts: 0, nextAtMs: 0, failure: null };
  saveSetting(db, waitingSetting, [...waiting.filter((one) => one.filmId !== filmId), result]);
  return true;
}

/** Notes what was read while nothing could be noted: the program was ended in between. */
export function noteMissed(
  db: WritableDb,
  filmsOf: (rows: ReturnType<typeof listFilms>["rows"]) => readonly Film[],
): void {
  const sinceMs = getSetting(db, sinceSetting);
  if (sinceMs === null) return;
  const { rows } = listFilms(db, { search: "", limit: mostFilms, offset: 0 });
  const readLately = rows.filter(({ id }) => (getLatestReading(db, id)?.atMs ?? 0) >= sinceMs);
  for (const film of filmsOf(readLately)) noteResult(db, film);
}

/** The receiver has acknowledged a result. */
export function noteTaken(db: WritableDb, { filmId, readingId }: WaitingResult): void {
  saveSetting(db, sentNote(filmId), readingId);
  forget(db, readingId);
}

/** A result is not to be sent any longer. */
export function forget(db: WritableDb, readingId: string): void {
  saveSetting(
    db,
    waitingSetting,
    listWaiting(db).filter((one) => one.readingId !== readingId),
  );
}

/** It is tried again after a pause; what was refused for good waits for a person. */
export function noteFailed(db: WritableDb, { readingId }: WaitingResult, failure: SendFailure, nowMs: number): void {
  saveSetting(
    db,
    waitingSetting,
    listWaiting(db).map((one) => {
      if (one.readingId !== readingId) return one;
      const pauseMs = pausesMs[Math.min(one.attempts, pausesMs.length - 1)] as number;
      return { ...one, attempts: one.attempts + 1, nextAtMs: nowMs + pauseMs, failure };
    }),
  );
}

export function isRefused({ failure }: WaitingResult): boolean {
  return failure?.reason === "message-refused";
}

/** Everything is due at once, or what was refused is given up. */
export function releaseWaiting(db: WritableDb, what: "all-due" | "give-up-refused"): void {
  const waiting = listWaiting(db);
  const released =
    what === "all-due"
      ? waiting.map((one) => ({ ...one, nextAtMs: 0, failure: null }))
      : waiting.filter((one) => !isRefused(one));
  saveSetting(db, waitingSetting, released);
}
