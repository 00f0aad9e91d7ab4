import { createHash } from "node:crypto";
import { pageActions, type AuditAction } from "../../../../core/people/audit-actions.ts";
import { readAuditEvents, recordAudit, type AuditRow } from "../../../store/audit/audit-events.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import { emptyDrafts, enteredPatients, removedFilmsWithReadings } from "../../../store/drafts-store.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { nameOfImage } from "../../../store/film-images/film-images.ts";
import { appendAnnotations, getLatestAnnotations, listAnnotations } from "../../../store/films/annotations.ts";
import {
  addFilm,
  findFilmBySha256,
  finishFilm,
  setKeptImages,
  setTakenAt,
  type FilmRow,
} from "../../../store/films/films.ts";
import { listFilms } from "../../../store/films/listed-films.ts";
import { removeFilm } from "../../../store/films/removed-films.ts";
import { appendReading, hasReading, listReadings } from "../../../store/films/readings.ts";
import { takeOverWatched, takeOverWatchedFiles } from "../../../store/films/watched-files.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { findImage, saveFilmImage } from "../../desktop/film-images.ts";
import { addFilmToWorklist, removeFilms } from "../films.ts";
import { publishFilm } from "../film-news.ts";
import { decidedPatient, handOverEdits, handOverPatient, patientThere, type HandOver } from "./hand-over-patients.ts";
import { handOverReceived, holdsReceived } from "./hand-over-received.ts";

const pageFilms = 50;

/** Films that wait to be handed over. */
export async function countDrafts({ db }: Pick<DesktopContext, "db">): Promise<number> {
  return (await listFilms(db, { search: "", limit: 0, offset: 0 })).total;
}

/**
 * Takes over whatever else was done on drafts that nobody works on any more, and leaves them empty. What comes in at the
 * last moment stays there, and goes with the next hand-over.
 */
export async function finishHandOver({ from, to }: HandOver): Promise<void> {
  await handOverFilms({ from, to });
  for (const film of await removedFilmsWithReadings(from.db)) await handOverRemoved({ from, to }, film);
  const patients = new Set(await enteredPatients(from.db));
  for (const id of patients) {
    const thereId = await patientThere({ from, to }, id);
    if (thereId !== null) await handOverEdits({ from, to }, id, thereId);
  }
  await handOverReceived({ from, to });
  await takeOverWatchedFiles(from.db, to.db);
  await handOverEvents({ from, to }, pageActions, ({ subject }) => ({ subject, patientId: null }));
  await transaction(from.db, async () => {
    const isAllThere =
      (await countDrafts(from)) === 0 &&
      (await enteredPatients(from.db)).every((id) => patients.has(id)) &&
      !(await holdsReceived(from));
    if (isAllThere) await emptyDrafts(from.db);
  });
}

/** A film that was taken off the list has no picture any more; what a person read on it stays, there as here. */
async function handOverRemoved(stores: HandOver, film: FilmRow): Promise<void> {
  const { to } = stores;
  const last = (await listReadings(stores.from.db, film.id)).at(-1);
  await transaction(to.db, async () => {
    // One that was handed over left the list, too.
    if (!last || (await hasReading(to.db, last.id))) return;
    const { thereId, isAdded } = await handOverWithoutPicture(stores, film);
    if (isAdded) await removeFilm(to.db, thereId, to.now().getTime());
  });
}

/** A film on the list whose file is gone or damaged: what is known of it must not wait for a picture that does not come. */
async function handOverPictureless(stores: HandOver, film: FilmRow): Promise<void> {
  const { to } = stores;
  const filmId = await transaction(to.db, async () => {
    const { thereId, isAdded } = await handOverWithoutPicture(stores, film);
    if (isAdded) await setKeptImages(to.db, thereId, { hasImage: false, hasRectified: false });
    return thereId;
  });
  await publishFilm(to, filmId);
}

/** Within a transaction: whoever calls says whether the film is on the list there. */
async function handOverWithoutPicture(
  { from, to }: HandOver,
  film: FilmRow,
): Promise<{ readonly thereId: string; readonly isAdded: boolean }> {
  const { id, fileName, sha256, origin, addedAtMs, takenAtMs, widthPx, heightPx, frameIndex, place } = film;
  const picture = { fileName, sha256, origin, addedAtMs, takenAtMs, widthPx, heightPx, frameIndex, place };
  const decided = await decidedPatient({ from, to }, film);
  const patientId = await patientThere({ from, to }, film.patientId);
  const listed = await findFilmBySha256(to.db, sha256, frameIndex);
  const there = listed ?? (await addFilm(to.db, { ...picture, id, patientId, state: "done" }));
  const about = { subject: there.id, patientId: await handOverPatient(to, there.id, decided) };
  await handOverReadings({ from, to }, film.id, there.id);
  await handOverDrawings({ from, to }, film.id, there.id);
  await handOverExports({ from, to }, film.id, about);
  return { thereId: there.id, isAdded: listed === null };
}

function handOverExports(stores: HandOver, filmId: string, there: About): Promise<void> {
  return handOverEvents(stores, ["film.exported"], ({ subject }) => (subject === filmId ? there : null));
}

/** What an event is about in the practice. */
type About = Pick<AuditRow, "patientId" | "subject">;

/**
 * Takes events of the drafts' trail along, each once: a hand-over may begin again. What else was done is recorded as it
 * goes over.
 *
 * @param aboutThere  null for an event that stays
 */
async function handOverEvents(
  { from, to }: HandOver,
  actions: readonly AuditAction[],
  aboutThere: (event: AuditRow) => About | null,
): Promise<void> {
  await transaction(to.db, async () => {
    let known: ReadonlySet<string> | null = null;
    for await (const event of readAuditEvents(from.db, { actions })) {
      const about = aboutThere(event);
      if (about === null) continue;
      known ??= await eventsSince(to.db, actions, event.atMs);
      if (known.has(nameOf({ ...event, ...about }))) continue;
      const { action, atMs, via, personId, who, detail } = event;
      await recordAudit(to.db, { action, at: new Date(atMs), by: { via, personId, who }, detail, ...about });
    }
  });
}

async function eventsSince(
  db: ReadableDb,
  actions: readonly AuditAction[],
  fromMs: number,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for await (const event of readAuditEvents(db, { actions, fromMs })) known.add(nameOf(event));
  return known;
}

function nameOf({ action, atMs, via, personId, who, subject }: AuditRow): string {
  return JSON.stringify([action, atMs, via, personId, who, subject]);
}

/**
 * Takes films with their patients, readings and drawings from one store to the other, the oldest first. Each leaves the
 * first when the other has all of it: broken off at any moment, the rest goes with the next call.
 */
export async function handOverFilms({ from, to }: HandOver): Promise<void> {
  for (;;) {
    const { rows } = await listFilms(from.db, { search: "", order: "takenOldest", limit: pageFilms, offset: 0 });
    if (rows.length === 0) return;
    for (const film of rows) {
      await handOverFilm({ from, to }, film);
      await removeFilms(from, [film.id]);
    }
  }
}

async function handOverFilm({ from, to }: HandOver, film: FilmRow): Promise<void> {
  const { sha256, frameIndex, fileName: name, origin } = film;
  const bytes = await originalOf(from, film);
  if (bytes === null) return await handOverPictureless({ from, to }, film);
  const decided = await decidedPatient({ from, to }, film);
  // Where nobody decided, a DICOM film brings its patient along; a picture is not the one that an order waits for.
  const { film: there } = await addFilmToWorklist(to, {
    name,
    bytes,
    origin,
    patientId: decided?.patientId ?? null,
    frameIndex,
    takesOrder: false,
  });
  const rectified = film.hasRectified ? await findImage(from, nameOfImage(sha256, "rectified", frameIndex)) : null;
  if (rectified !== null) await saveFilmImage(to, sha256, "rectified", rectified, frameIndex);
  await transaction(to.db, async () => {
    if (film.takenAtMs !== Date.parse(there.takenAt)) await setTakenAt(to.db, there.id, film.takenAtMs);
    const patientId = await handOverPatient(to, there.id, decided);
    const isRead = await handOverReadings({ from, to }, film.id, there.id);
    await handOverDrawings({ from, to }, film.id, there.id);
    await handOverExports({ from, to }, film.id, { subject: there.id, patientId });
    await takeOverWatched(from.db, to.db, { filmId: film.id, thereId: there.id });
    if (rectified !== null) await setKeptImages(to.db, there.id, { hasImage: true, hasRectified: true });
    // What was measured is not measured once more.
    if (isRead) await finishFilm(to.db, there.id, { state: "done" });
  });
  await publishFilm(to, there.id);
}

/** The file of a film; null where it is gone, or no longer what its name says. */
async function originalOf(from: DesktopContext, { sha256, frameIndex }: FilmRow): Promise<Buffer | null> {
  const bytes = await findImage(from, nameOfImage(sha256, "original", frameIndex));
  return bytes !== null && createHash("sha256").update(bytes).digest("hex") === sha256 ? bytes : null;
}

async function handOverReadings({ from, to }: HandOver, filmId: string, thereId: string): Promise<boolean> {
  const readings = await listReadings(from.db, filmId);
  for (const reading of readings)
    if (!(await hasReading(to.db, reading.id))) await appendReading(to.db, { ...reading, filmId: thereId });
  return readings.length > 0;
}

async function handOverDrawings({ from, to }: HandOver, filmId: string, thereId: string): Promise<void> {
  const known = new Set((await listAnnotations(to.db, thereId)).map(({ id }) => id));
  for (const drawn of await listAnnotations(from.db, filmId)) {
    if (known.has(drawn.id)) continue;
    const basedOn = (await getLatestAnnotations(to.db, thereId))?.version ?? 0;
    await appendAnnotations(to.db, { ...drawn, filmId: thereId, basedOn });
  }
}
