import { createHash } from "node:crypto";
import { dicomInstance } from "../../../../core/contract/desktop/network/dicom-instance.ts";
import { pageActions } from "../../../../core/people/audit-actions.ts";
import { listAuditEvents, readAuditEvents, recordAudit, type AuditRow } from "../../../store/audit/audit-events.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import { emptyDrafts, enteredPatients, removedFilmsWithReadings } from "../../../store/drafts-store.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { nameOfImage } from "../../../store/film-images/film-images.ts";
import { appendAnnotations, getLatestAnnotations, listAnnotations } from "../../../store/films/annotations.ts";
import { findDicomInstance } from "../../../store/films/dicom/dicom-instances.ts";
import {
  addFilm,
  findFilmBySha256,
  findKnownFilm,
  finishFilm,
  getFilm,
  setKeptImages,
  setTakenAt,
  type FilmRow,
} from "../../../store/films/films.ts";
import { listFilms } from "../../../store/films/listed-films.ts";
import { removeFilm } from "../../../store/films/removed-films.ts";
import { appendReading, hasReading, listReadings } from "../../../store/films/readings.ts";
import { takeOverWatched, takeOverWatchedFiles } from "../../../store/films/watched-files.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import type { WrittenImage } from "../../desktop/film-files.ts";
import { findImage, writeFilmImage } from "../../desktop/film-images.ts";
import { carryDrawings } from "../drawings/carry-drawings.ts";
import { addFilmToWorklist, removeFilms } from "../films.ts";
import { publishFilm } from "../film-news.ts";
import { findKnownFilms } from "../known-films.ts";
import { rectifiedAgain } from "../rectified-image.ts";
import { shownPicture } from "../readings/shown-picture.ts";
import { decidedPatient, handOverEdits, handOverPatient, patientThere, type HandOver } from "./hand-over-patients.ts";
import { handOverReceived, holdsReceived } from "./hand-over-received.ts";

const pageFilms = 50;

/** Events that go over; what else was done is recorded as it goes over. */
const eventsTaken = [...pageActions, "film.exported"] as const;

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
  const events = await handOverEvents({ from, to });
  await transaction(from.db, async () => {
    const isAllThere =
      (await countDrafts(from)) === 0 &&
      (await countEvents(from)) === events &&
      (await enteredPatients(from.db)).every((id) => patients.has(id)) &&
      !(await holdsReceived(from));
    if (isAllThere) await emptyDrafts(from.db);
  });
}

/** A film that was taken off the list has no picture any more; what a person read on it stays, there as here. */
async function handOverRemoved(stores: HandOver, film: FilmRow): Promise<void> {
  const { to } = stores;
  const last = (await listReadings(stores.from.db, film.id)).at(-1);
  // One that was handed over left the list, too.
  if (!last || (await hasReading(to.db, last.id))) return;
  await withCut(stores, film, await originalOf(to, film), (cut) =>
    transaction(to.db, async () => {
      const { thereId, isAdded } = await handOverWithoutPicture(stores, film, cut);
      if (isAdded) await removeFilm(to.db, thereId, to.now().getTime());
    }),
  );
}

/** A film on the list whose file is gone or damaged: what is known of it must not wait for a picture that does not come. */
async function handOverPictureless(stores: HandOver, film: FilmRow): Promise<void> {
  const { to } = stores;
  const filmId = await withCut(stores, film, await originalOf(to, film), (cut) =>
    transaction(to.db, async () => {
      const { thereId, isAdded } = await handOverWithoutPicture(stores, film, cut);
      if (isAdded) await setKeptImages(to.db, thereId, { hasImage: false, hasRectified: false });
      return thereId;
    }),
  );
  await publishFilm(to, filmId);
}

/** Within a transaction: whoever calls says whether the film is on the list there. */
async function handOverWithoutPicture(
  { from, to }: HandOver,
  film: FilmRow,
  cut: WrittenImage | null,
): Promise<{ readonly thereId: string; readonly isAdded: boolean }> {
  const { id, fileName, sha256, origin, addedAtMs, takenAtMs, widthPx, heightPx, frameIndex, place } = film;
  const picture = { fileName, sha256, origin, addedAtMs, takenAtMs, widthPx, heightPx, frameIndex, place };
  const decided = await decidedPatient({ from, to }, film);
  const patientId = await patientThere({ from, to }, film.patientId);
  const listed = await findFilmBySha256(to.db, sha256, frameIndex);
  const there = listed ?? (await addFilm(to.db, { ...picture, id, patientId, state: "done" }));
  await handOverPatient(to, there.id, decided);
  // What nobody lists keeps no picture.
  await handOverWork({ from, to }, film, there.id, listed?.hasImage ? cut : null);
  return { thereId: there.id, isAdded: listed === null };
}

async function countEvents({ db }: DesktopContext): Promise<number> {
  return (await listAuditEvents(db, { actions: eventsTaken, limit: 0, offset: 0 })).total;
}

/**
 * Takes events of the drafts' trail along, each once: a hand-over may begin again. It comes once the page has left the
 * drafts: what is given out of a film that has gone over is recorded there until then.
 *
 * @returns how many of them the practice has now
 */
async function handOverEvents({ from, to }: HandOver): Promise<number> {
  let known: ReadonlySet<string> | null = null;
  let there = 0;
  for await (const event of readAuditEvents(from.db, { actions: eventsTaken })) {
    const about = await aboutThere({ from, to }, event);
    if (about === null) continue;
    there += 1;
    known ??= await eventsSince(to.db, event.atMs);
    if (known.has(nameOf({ ...event, ...about }))) continue;
    const { action, atMs, via, personId, who, detail } = event;
    await recordAudit(to.db, { action, at: new Date(atMs), by: { via, personId, who }, detail, ...about });
  }
  return there;
}

/** What an event is about in the practice: a draft is the film that it is there. Null while it has not gone over. */
async function aboutThere(
  { from, to }: HandOver,
  { subject }: AuditRow,
): Promise<Pick<AuditRow, "patientId" | "subject"> | null> {
  const draft = subject === null ? null : await findKnownFilm(from.db, subject);
  if (draft === null) return { subject, patientId: null };
  if (!draft.isRemoved) return null;
  const said = await findDicomInstance(from.db, draft.id);
  const instance = said && dicomInstance.parse(JSON.parse(said.facts));
  const { listed, removed } = await findKnownFilms(to.db, { ...draft, instance }, new Set());
  const there = listed ?? removed;
  return { subject: there?.id ?? subject, patientId: there?.patientId ?? null };
}

async function eventsSince(db: ReadableDb, fromMs: number): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for await (const event of readAuditEvents(db, { actions: eventsTaken, fromMs })) known.add(nameOf(event));
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
  const { frameIndex, fileName: name, origin } = film;
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
  await withCut({ from, to }, film, bytes, (cut) =>
    transaction(to.db, async () => {
      if (film.takenAtMs !== Date.parse(there.takenAt)) await setTakenAt(to.db, there.id, film.takenAtMs);
      await handOverPatient(to, there.id, decided);
      const isRead = await handOverWork({ from, to }, film, there.id, cut);
      await takeOverWatched(from.db, to.db, { filmId: film.id, thereId: there.id });
      // What was measured is not measured once more.
      if (isRead) await finishFilm(to.db, there.id, { state: "done" });
    }),
  );
  await publishFilm(to, there.id);
}

/**
 * Writes the film that was cut out of a draft's photograph, for a transaction to keep with the readings that refer to
 * it; null where none was. Where its picture is gone, it is made anew of the photograph.
 */
async function withCut<Value>(
  { from, to }: HandOver,
  film: FilmRow,
  original: Uint8Array | null,
  record: (cut: WrittenImage | null) => Promise<Value>,
): Promise<Value> {
  const { sha256, frameIndex, hasRectified } = film;
  const kept = hasRectified ? await findImage(from, nameOfImage(sha256, "rectified", frameIndex)) : null;
  const rectified = kept ?? (original && (await rectifiedAgain(from, film, original)));
  const cut = rectified && (await writeFilmImage(to, sha256, "rectified", rectified, frameIndex));
  try {
    return await record(cut);
  } finally {
    await cut?.drop();
  }
}

/**
 * Within a transaction: what was read and drawn on a draft. What the networks said there says what is shown of the film
 * from then on, and what the practice has drawn on it goes along.
 */
async function handOverWork(
  { from, to }: HandOver,
  film: FilmRow,
  thereId: string,
  cut: WrittenImage | null,
): Promise<boolean> {
  const there = await getFilm(to.db, thereId);
  const before = await shownPicture(to.db, there);
  const { isRead, isMeasured } = await handOverReadings({ from, to }, film.id, thereId);
  if (isMeasured) {
    await cut?.keep();
    await setKeptImages(to.db, thereId, { hasImage: there.hasImage, hasRectified: cut !== null });
    await carryDrawings(to, thereId, before);
  }
  if (await handOverDrawings({ from, to }, film.id, thereId))
    await carryDrawings(to, thereId, await shownPicture(from.db, film));
  return isRead;
}

/** The file of a film; null where it is gone, or no longer what its name says. */
async function originalOf(from: DesktopContext, { sha256, frameIndex }: FilmRow): Promise<Buffer | null> {
  const bytes = await findImage(from, nameOfImage(sha256, "original", frameIndex));
  return bytes !== null && createHash("sha256").update(bytes).digest("hex") === sha256 ? bytes : null;
}

/** `isMeasured`: readings of the networks came along that the practice did not have. */
async function handOverReadings(
  { from, to }: HandOver,
  filmId: string,
  thereId: string,
): Promise<{ readonly isRead: boolean; readonly isMeasured: boolean }> {
  const readings = await listReadings(from.db, filmId);
  let isMeasured = false;
  for (const reading of readings) {
    if (await hasReading(to.db, reading.id)) continue;
    await appendReading(to.db, { ...reading, filmId: thereId });
    isMeasured ||= reading.source === "model";
  }
  return { isRead: readings.length > 0, isMeasured };
}

/** Whether any came along. */
async function handOverDrawings({ from, to }: HandOver, filmId: string, thereId: string): Promise<boolean> {
  const known = new Set((await listAnnotations(to.db, thereId)).map(({ id }) => id));
  const added = (await listAnnotations(from.db, filmId)).filter(({ id }) => !known.has(id));
  for (const drawn of added) {
    const basedOn = (await getLatestAnnotations(to.db, thereId))?.version ?? 0;
    await appendAnnotations(to.db, { ...drawn, filmId: thereId, basedOn });
  }
  return added.length > 0;
}
