import { z } from "zod";
import { sendFailure, type SendFailure } from "../../../../core/contract/desktop/network/dicom.ts";
import { hl7Destination, type Hl7Destination } from "../../../../core/contract/desktop/practice/hl7.ts";
import { isSampleFilm } from "../../../../core/sample-study.ts";
import { requireCertificates } from "../../../dicom/network/secure-socket.ts";
import { findCurrentResult } from "../../../store/films/current-results.ts";
import { listFilms } from "../../../store/films/listed-films.ts";
import { engineOf, transaction } from "../../../store/engines/engine.ts";
import { findLostWork } from "../../../store/machines/machines.ts";
import { listLatestReadings, type ReadingRow } from "../../../store/films/readings.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { changeSetting, getSetting, saveSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { filmNote, listOfFilms } from "../../desktop/film-notes.ts";
import { recordSent } from "../../results/exported-films.ts";
import { newControlId } from "../sidecars.ts";

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
  /** MSH-10, the same in each attempt. */
  controlId: z.string(),
  fingerprint: z.string(),
  attempts: z.int(),
  nextAtMs: z.int(),
  failure: sendFailure.nullable(),
});
export type WaitingResult = Readonly<z.infer<typeof waitingResult>>;

const waitingSetting = listOfFilms("hl7Waiting", waitingResult);
/** Time at which sending was turned on [ms]; earlier readings are not sent. */
const sinceSetting: Setting<number | null> = { key: "hl7Since", schema: z.int().nullable(), fallback: null };

/** Pauses between attempts [ms]; the last one repeats. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** Number of films examined at the start of the program. */
const maxFilms = 1000;

const reported = z.object({
  /** Fingerprint of the result acknowledged or discarded last; null before the first one. */
  fingerprint: z.string().nullable(),
  /** Whether the receiver may have a result of the film: one was acknowledged, or sent without a response. */
  mayBeReceived: z.boolean(),
});

function reportedNote(filmId: string): Setting<z.infer<typeof reported>> {
  return filmNote("hl7", filmId, { schema: reported, fallback: { fingerprint: null, mayBeReceived: false } });
}

/** Lists pending results of all workstations, oldest first. */
export async function listWaiting(db: ReadableDb): Promise<readonly WaitingResult[]> {
  return await getSetting(db, waitingSetting);
}

/** Returns pending results of this workstation and adopts those of ended ones. */
export async function adoptWaitingResults(db: WritableDb): Promise<readonly WaitingResult[]> {
  const { machineId: own } = engineOf(db);
  const isOwn = ({ machineId }: WaitingResult) => machineId === own;
  const waiting = await listWaiting(db);
  if (waiting.every(isOwn)) return waiting;
  const isLost = await findLostWork(db, { isStart: false });
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
 * Queues a film's current result, replacing an earlier one, unless it was reported. Skips simulated films. Results that
 * are not to be sent, or are from before sending was turned on, are queued only if they change a result that the
 * receiver may have.
 *
 * @returns whether it was queued
 */
export async function queueResult(db: WritableDb, filmId: string): Promise<boolean> {
  return await transaction(db, async () => {
    const { isOn, results } = await getSetting(db, hl7DestinationSetting);
    if (!isOn) return false;
    const current = await findCurrentResult(db, filmId);
    if (current === null || isSampleFilm(current)) return false;
    const { fingerprint, verdict } = current;
    const waiting = await listWaiting(db);
    const known = await getSetting(db, reportedNote(filmId));
    const before = waiting.find((one) => one.filmId === filmId);
    if ((before ?? known).fingerprint === fingerprint) return false;
    const isFollowUp = before !== undefined || known.mayBeReceived;
    const isWanted = results === "all" || verdict !== null;
    if (!isFollowUp && !(isWanted && isMeant(current, await getSetting(db, sinceSetting)))) return false;
    // The workstation that may be sending an earlier result sends this one after it.
    const { machineId } = before ?? engineOf(db);
    const result = {
      filmId,
      machineId,
      controlId: newControlId(),
      fingerprint,
      attempts: 0,
      nextAtMs: 0,
      failure: null,
    };
    await saveSetting(db, waitingSetting, [...waiting.filter((one) => one !== before), result]);
    return true;
  });
}

/** Queues results that were not queued before the program ended. */
export async function queueMissedResults(db: WritableDb): Promise<void> {
  const sinceMs = await getSetting(db, sinceSetting);
  if (sinceMs === null) return;
  const { rows } = await listFilms(db, { search: "", limit: maxFilms, offset: 0 });
  const readings = await listLatestReadings(
    db,
    rows.map(({ id }) => id),
  );
  for (const { id } of rows) if (isMeant(readings.get(id), sinceMs)) await queueResult(db, id);
}

/**
 * Returns the fingerprint of the result that may be sent for a film now; null without one. A proposal may be sent only
 * if the settings include proposals, or if it replaces a result that the receiver may have.
 */
export async function findSendable(
  db: ReadableDb,
  filmId: string,
  { results }: Pick<Hl7Destination, "results">,
): Promise<string | null> {
  const current = await findCurrentResult(db, filmId);
  if (current === null) return null;
  const { mayBeReceived } = await getSetting(db, reportedNote(filmId));
  const isProposalSent = mayBeReceived || (results === "all" && current.removedAtMs === null);
  return current.verdict !== null || isProposalSent ? current.fingerprint : null;
}

function isMeant(reading: Pick<ReadingRow, "atMs"> | undefined, sinceMs: number | null): boolean {
  return reading !== undefined && sinceMs !== null && reading.atMs >= sinceMs;
}

/** @param fingerprint  fingerprint of the sent result, which may be later than the queued one */
export async function recordAccepted(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  { filmId, controlId }: WaitingResult,
  { fingerprint, to }: { readonly fingerprint: string; readonly to: string },
): Promise<void> {
  await transaction(db, async () => {
    await recordSent({ db, now }, filmId, { to });
    await saveSetting(db, reportedNote(filmId), { fingerprint, mayBeReceived: true });
    await changeSetting(db, waitingSetting, (all) =>
      all.filter((one) => one.controlId !== controlId && (one.filmId !== filmId || one.fingerprint !== fingerprint)),
    );
  });
}

export async function forget(db: WritableDb, { controlId }: WaitingResult): Promise<void> {
  await changeSetting(db, waitingSetting, (all) => all.filter((one) => one.controlId !== controlId));
}

/** Records that a message was sent without a response, unless its film was erased in the meantime. */
export async function recordUnanswered(db: WritableDb, { filmId }: WaitingResult): Promise<void> {
  await transaction(db, async () => {
    if ((await listWaiting(db)).some((one) => one.filmId === filmId))
      await changeSetting(db, reportedNote(filmId), (known) => ({ ...known, mayBeReceived: true }));
  });
}

/** Schedules a retry; permanently refused results wait for a user. */
export async function scheduleRetry(
  db: WritableDb,
  { controlId }: WaitingResult,
  failure: SendFailure,
  nowMs: number,
): Promise<void> {
  await changeSetting(db, waitingSetting, (all) =>
    all.map((one) => {
      if (one.controlId !== controlId) return one;
      const pauseMs = pausesMs[Math.min(one.attempts, pausesMs.length - 1)] as number;
      return { ...one, attempts: one.attempts + 1, nextAtMs: nowMs + pauseMs, failure };
    }),
  );
}

/** Whether the pause is over, or longer than any pause because the clock was ahead. */
export function isDue({ nextAtMs }: WaitingResult, nowMs: number): boolean {
  return nextAtMs <= nowMs || nextAtMs > nowMs + Math.max(...pausesMs);
}

export function isRefused({ failure }: WaitingResult): boolean {
  return failure?.reason === "message-refused";
}

export async function retryAllNow(db: WritableDb): Promise<void> {
  await changeSetting(db, waitingSetting, (all) => all.map((one) => ({ ...one, nextAtMs: 0, failure: null })));
}

/** Discards refused results; a later change of the film does not queue them again. */
export async function dropRefused(db: WritableDb): Promise<void> {
  await transaction(db, async () => {
    const waiting = await listWaiting(db);
    for (const { filmId, fingerprint } of waiting.filter(isRefused))
      await changeSetting(db, reportedNote(filmId), (known) => ({ ...known, fingerprint }));
    const left = waiting.filter((one) => !isRefused(one));
    await saveSetting(db, waitingSetting, left);
  });
}
