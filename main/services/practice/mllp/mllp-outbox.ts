import { z } from "zod";
import { sendFailure, type SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { hl7Destination, type Hl7Destination } from "../../../../core/contract/desktop/practice/hl7.ts";
import { isSampleFilm } from "../../../../core/sample-study.ts";
import { requireCertificates } from "../../../dicom/network/secure-socket.ts";
import { listFilms } from "../../../store/films/listed-films.ts";
import type { FilmRow } from "../../../store/films/films.ts";
import { engineOf, transaction } from "../../../store/engines/engine.ts";
import { lostWork } from "../../../store/machines/machines.ts";
import { listLatestReadings, type ReadingRow } from "../../../store/films/readings.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { changeSetting, getSetting, saveSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { filmNote, listOfFilms } from "../../desktop/film-notes.ts";
import { recordSent } from "../../results/exported-films.ts";

/** Off until the user configures a receiver. 2575 is MLLP's registered port. */
export const hl7DestinationSetting: Setting<Hl7Destination> = {
  key: "hl7Destination",
  schema: hl7Destination,
  fallback: { isOn: false, host: "", port: 2575, application: "", facility: "", results: "decided", tls: null },
  audit: "settings.changed",
};

const waitingResult = z.object({
  filmId: z.string(),
  /** Workstation that sends the result; null with a local store. */
  machineId: z.string().nullable(),
  readingId: z.string(),
  attempts: z.int(),
  nextAtMs: z.int(),
  failure: sendFailure.nullable(),
});
export type WaitingResult = Readonly<z.infer<typeof waitingResult>>;

const waitingSetting = listOfFilms("hl7Waiting", waitingResult);
/** When sending was turned on; earlier readings are not sent. */
const sinceSetting: Setting<number | null> = { key: "hl7Since", schema: z.int().nullable(), fallback: null };

/** Pauses between attempts [ms]; the last one repeats. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** Films examined at the start of the program. */
const mostFilms = 1000;

function sentNote(filmId: string): Setting<string | null> {
  return filmNote("hl7", filmId, { schema: z.string().nullable(), fallback: null });
}

/** Lists pending results of all workstations, oldest first. */
export async function listWaiting(db: ReadableDb): Promise<readonly WaitingResult[]> {
  return await getSetting(db, waitingSetting);
}

/** Returns pending results of this workstation and adopts those of ended ones. */
export async function takeOwnWaiting(db: WritableDb): Promise<readonly WaitingResult[]> {
  const { machineId: own } = engineOf(db);
  const isOwn = ({ machineId }: WaitingResult) => machineId === own;
  const waiting = await listWaiting(db);
  if (waiting.every(isOwn)) return waiting;
  const isLost = await lostWork(db, { isStart: false });
  if (!waiting.some((one) => !isOwn(one) && isLost(one.machineId))) return waiting.filter(isOwn);
  // One of the remaining workstations adopts them; the others find them adopted.
  const taken = await changeSetting(db, waitingSetting, (all) =>
    all.map((one) => (!isOwn(one) && isLost(one.machineId) ? { ...one, machineId: own } : one)),
  );
  return taken.filter(isOwn);
}

/**
 * Saves the receiver. Turning sending off discards pending results.
 *
 * @throws AppError INVALID_FIELD for unreadable certificates
 */
export async function saveDestination(db: WritableDb, destination: Hl7Destination, nowMs: number): Promise<void> {
  requireCertificates(destination.tls?.trusted ?? "");
  await transaction(db, async () => {
    const wasOn = (await getSetting(db, hl7DestinationSetting)).isOn;
    await saveSetting(db, hl7DestinationSetting, destination);
    if (destination.isOn !== wasOn) await saveSetting(db, sinceSetting, destination.isOn ? nowMs : null);
    if (!destination.isOn) await saveSetting(db, waitingSetting, []);
  });
}

/**
 * Queues a film's current reading, replacing an earlier one. Skips readings from before sending was turned on and
 * simulated films.
 *
 * @returns whether it was queued
 */
export async function noteResult(
  db: WritableDb,
  { id: filmId, sha256, reading }: Pick<Film, "id" | "sha256" | "reading">,
): Promise<boolean> {
  if (reading === null || isSampleFilm({ sha256 })) return false;
  const { readingId } = reading;
  return await transaction(db, async () => {
    const { isOn, results } = await getSetting(db, hl7DestinationSetting);
    if (!isOn || (results === "decided" && reading.verdict === null)) return false;
    const counting = (await listLatestReadings(db, [filmId])).get(filmId);
    if (!isMeant(counting, await getSetting(db, sinceSetting))) return false;
    const waiting = await listWaiting(db);
    if (waiting.some((one) => one.readingId === readingId)) return false;
    if ((await getSetting(db, sentNote(filmId))) === readingId) return false;
    // The workstation that may be sending an earlier reading sends this one after it.
    const machineId = waiting.find((one) => one.filmId === filmId)?.machineId ?? engineOf(db).machineId;
    const result = { filmId, machineId, readingId, attempts: 0, nextAtMs: 0, failure: null };
    await saveSetting(db, waitingSetting, [...waiting.filter((one) => one.filmId !== filmId), result]);
    return true;
  });
}

/** Queues readings that were not queued before the program ended. */
export async function noteMissed(
  db: WritableDb,
  filmsOf: (rows: readonly FilmRow[]) => Promise<readonly Film[]>,
): Promise<void> {
  const sinceMs = await getSetting(db, sinceSetting);
  if (sinceMs === null) return;
  const { rows } = await listFilms(db, { search: "", limit: mostFilms, offset: 0 });
  const readings = await listLatestReadings(
    db,
    rows.map(({ id }) => id),
  );
  const readLately = rows.filter(({ id }) => isMeant(readings.get(id), sinceMs));
  for (const film of await filmsOf(readLately)) await noteResult(db, film);
}

function isMeant(reading: Pick<ReadingRow, "atMs"> | undefined, sinceMs: number | null): boolean {
  return reading !== undefined && sinceMs !== null && reading.atMs >= sinceMs;
}

export async function noteTaken(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  { filmId, readingId }: WaitingResult,
  { host, port }: Hl7Destination,
): Promise<void> {
  await transaction(db, async () => {
    await recordSent({ db, now }, filmId, { to: `${host}:${port}` });
    await saveSetting(db, sentNote(filmId), readingId);
    await forget(db, readingId);
  });
}

export async function forget(db: WritableDb, readingId: string): Promise<void> {
  await changeSetting(db, waitingSetting, (all) => all.filter((one) => one.readingId !== readingId));
}

/** Schedules a retry; permanently refused results wait for a user. */
export async function noteFailed(
  db: WritableDb,
  { readingId }: WaitingResult,
  failure: SendFailure,
  nowMs: number,
): Promise<void> {
  await changeSetting(db, waitingSetting, (all) =>
    all.map((one) => {
      if (one.readingId !== readingId) return one;
      const pauseMs = pausesMs[Math.min(one.attempts, pausesMs.length - 1)] as number;
      return { ...one, attempts: one.attempts + 1, nextAtMs: nowMs + pauseMs, failure };
    }),
  );
}

/** Whether the pause is over, or longer than any, from a clock that was ahead. */
export function isDue({ nextAtMs }: WaitingResult, nowMs: number): boolean {
  return nextAtMs <= nowMs || nextAtMs > nowMs + Math.max(...pausesMs);
}

export function isRefused({ failure }: WaitingResult): boolean {
  return failure?.reason === "message-refused";
}

export async function makeAllDue(db: WritableDb): Promise<void> {
  await changeSetting(db, waitingSetting, (all) => all.map((one) => ({ ...one, nextAtMs: 0, failure: null })));
}

/** Discards refused results; a later change of the film does not queue them again. */
export async function giveUpRefused(db: WritableDb): Promise<void> {
  await transaction(db, async () => {
    const waiting = await listWaiting(db);
    for (const { filmId, readingId } of waiting.filter(isRefused)) await saveSetting(db, sentNote(filmId), readingId);
    const left = waiting.filter((one) => !isRefused(one));
    await saveSetting(db, waitingSetting, left);
  });
}
