import { pageActions } from "../../../../core/people/audit-actions.ts";
import { readAuditEvents, recordAudit } from "../../../store/audit/audit-events.ts";
import { emptyDrafts, patientsWithoutFilm } from "../../../store/drafts-store.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { appendAnnotations, getLatestAnnotations, listAnnotations } from "../../../store/films/annotations.ts";
import { finishFilm, setKeptImages, setTakenAt, type FilmRow } from "../../../store/films/films.ts";
import { listFilms } from "../../../store/films/listed-films.ts";
import { findPatient, findPatientByUuid, savePatient } from "../../../store/films/patients.ts";
import { appendReading, hasReading, listReadings } from "../../../store/films/readings.ts";
import { takeOverWatched } from "../../../store/films/watched-files.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { readFilmImage, saveFilmImage } from "../../desktop/film-images.ts";
import { addFilmToWorklist, publishFilm, removeFilms } from "../films.ts";

/** Both ends of a hand-over: the same program on one store and on the other. */
export type HandOver = { readonly from: DesktopContext; readonly to: DesktopContext };

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
  const patients = new Set(await patientsWithoutFilm(from.db));
  for (const id of patients) await patientThere({ from, to }, id);
  await transaction(to.db, async () => {
    // What people did at a page that was on drafts; films and readings are recorded as they go over.
    for await (const event of readAuditEvents(from.db, { actions: pageActions })) {
      const { action, atMs, via, personId, who, subject, detail } = event;
      await recordAudit(to.db, { action, at: new Date(atMs), by: { via, personId, who }, subject, detail });
    }
  });
  await transaction(from.db, async () => {
    const isAllThere =
      (await countDrafts(from)) === 0 && (await patientsWithoutFilm(from.db)).every((id) => patients.has(id));
    if (isAllThere) await emptyDrafts(from.db);
  });
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
  const bytes = await readFilmImage(from, sha256, "original");
  // A DICOM film brings its patient along.
  const patientId = origin === "dicom" ? null : await patientThere({ from, to }, film.patientId);
  // Nor is it the picture that an order waits for.
  const { film: there } = await addFilmToWorklist(to, {
    name,
    bytes,
    origin,
    patientId,
    frameIndex,
    takesOrder: false,
  });
  if (film.hasRectified)
    await saveFilmImage(
      to,
      sha256,
      "rectified",
      await readFilmImage(from, sha256, "rectified", frameIndex),
      frameIndex,
    );
  await transaction(to.db, async () => {
    if (film.takenAtMs !== Date.parse(there.takenAt)) await setTakenAt(to.db, there.id, film.takenAtMs);
    const isRead = await handOverReadings({ from, to }, film.id, there.id);
    await handOverDrawings({ from, to }, film.id, there.id);
    await takeOverWatched(from.db, to.db, { filmId: film.id, thereId: there.id });
    if (film.hasRectified) await setKeptImages(to.db, there.id, { hasImage: true, hasRectified: true });
    // What was measured is not measured once more.
    if (isRead) await finishFilm(to.db, there.id, { state: "done" });
  });
  await publishFilm(to, there.id);
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

/** The practice's patient of the same number; a name alone is no proof, so others are added beside. */
async function patientThere({ from, to }: HandOver, patientId: string | null): Promise<string | null> {
  const patient = patientId === null ? null : await findPatient(from.db, patientId);
  if (patient === null) return null;
  const known =
    (await findPatient(to.db, patient.id)) ??
    (patient.uuid === null ? null : await findPatientByUuid(to.db, patient.uuid));
  return (known ?? (await savePatient(to.db, patient))).id;
}
