import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../../connection.ts";
import type { Tables } from "../../tables.ts";
import { filmColumns, filmRow, getFilm, type FilmRow } from "../films.ts";

/**
 * The DICOM object that a film came as; `facts`: JSON of the desktop contract's `dicomInstance`; `shape`: of its
 * picture, null of a film that came to a version which kept none.
 */
export type DicomInstanceRow = Readonly<Selectable<Tables["dicomInstances"]>>;

/** Saves the facts in a film's DICOM file; later facts replace earlier ones. */
export async function saveDicomInstance(db: WritableDb, { filmId, ...said }: DicomInstanceRow): Promise<void> {
  await db
    .insertInto("dicomInstances")
    .values({ filmId, ...said })
    .onConflict((known) => known.column("filmId").doUpdateSet(said))
    .execute();
}

/** DICOM facts of a film, null when it was opened as another kind of file. */
export async function findDicomInstance(db: ReadableDb, filmId: string): Promise<DicomInstanceRow | null> {
  return (await listDicomInstances(db, [filmId])).get(filmId) ?? null;
}

/** The DICOM objects of some films, by the film's id; none of a film that came as another kind of file. */
export async function listDicomInstances(
  db: ReadableDb,
  filmIds: readonly string[],
): Promise<ReadonlyMap<string, DicomInstanceRow>> {
  if (filmIds.length === 0) return new Map();
  const rows = await db.selectFrom("dicomInstances").selectAll().where("filmId", "in", filmIds).execute();
  return new Map(rows.map((row) => [row.filmId, row]));
}

/** Lists the DICOM facts (JSON) of a patient's films on the worklist, newest first. */
export async function listInstancesOfPatient(db: ReadableDb, patientId: string): Promise<readonly string[]> {
  const rows = await instancesOnWorklist(db)
    .select("facts")
    .where("patientId", "=", patientId)
    .orderBy("takenAtMs", "desc")
    .execute();
  return rows.map(({ facts }) => facts);
}

/** Lists the films of some studies on the worklist, one for each frame, by their UIDs. */
export async function listInstancesOfStudies(
  db: ReadableDb,
  studyInstanceUids: readonly string[],
): Promise<readonly Pick<DicomInstanceRow, "filmId" | "studyInstanceUid" | "sopInstanceUid">[]> {
  if (studyInstanceUids.length === 0) return [];
  return instancesOnWorklist(db)
    .select(["filmId", "studyInstanceUid", "sopInstanceUid"])
    .where("studyInstanceUid", "in", studyInstanceUids)
    .execute();
}

/** The film on the worklist that shows a frame of an instance, null when there is none. `frameIndex` counts from 0. */
export async function findFilmBySopInstance(
  db: ReadableDb,
  sopInstanceUid: string,
  frameIndex: number,
): Promise<FilmRow | null> {
  const row = await instancesOnWorklist(db)
    .select("filmId")
    .where("sopInstanceUid", "=", sopInstanceUid)
    .where("frameIndex", "=", frameIndex)
    .orderBy("addedAtMs")
    .limit(1)
    .executeTakeFirst();
  return row ? await getFilm(db, row.filmId) : null;
}

/** A film with the facts in its file, as JSON; `removedAtMs` [ms UTC]: null while it is on the worklist. */
export type FilmOfInstance = { readonly film: FilmRow; readonly facts: string; readonly removedAtMs: number | null };

/**
 * The films that came as this frame of an instance, on the worklist or not, the first added first. `frameIndex` counts
 * from 0.
 */
export async function listFilmsOfInstance(
  db: ReadableDb,
  sopInstanceUid: string,
  frameIndex: number,
): Promise<readonly FilmOfInstance[]> {
  const rows = await db
    .selectFrom("dicomInstances")
    .innerJoin("films", "films.id", "filmId")
    .select([...filmColumns, "facts", "removedAtMs"])
    .where("sopInstanceUid", "=", sopInstanceUid)
    .where("frameIndex", "=", frameIndex)
    .orderBy("addedAtMs")
    .execute();
  return rows.map(({ facts, removedAtMs, ...film }) => ({ film: filmRow.parse(film), facts, removedAtMs }));
}

function instancesOnWorklist(db: ReadableDb) {
  return db.selectFrom("dicomInstances").innerJoin("films", "films.id", "filmId").where("removedAtMs", "is", null);
}
