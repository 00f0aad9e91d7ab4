import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../../connection.ts";
import type { Tables } from "../../tables.ts";
import { filmColumns, filmRow, getFilm, type FilmRow } from "../films.ts";

/** DICOM object of a film. `facts`: JSON of the desktop contract's `dicomInstance`; `shape`: shape of its picture. */
export type DicomInstanceRow = Readonly<Selectable<Tables["dicomInstances"]>>;

export async function saveDicomInstance(db: WritableDb, { filmId, ...said }: DicomInstanceRow): Promise<void> {
  await db
    .insertInto("dicomInstances")
    .values({ filmId, ...said })
    .onConflict((known) => known.column("filmId").doUpdateSet(said))
    .execute();
}

export async function findDicomInstance(db: ReadableDb, filmId: string): Promise<DicomInstanceRow | null> {
  return (await listDicomInstances(db, [filmId])).get(filmId) ?? null;
}

/** By film id; films from other types of file have none. */
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

/** Lists the films on the worklist that belong to some studies, one per frame. */
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

/** @param frameIndex  from 0 */
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

/** A film with its DICOM facts (JSON). `removedAtMs` [UTC ms]: null while it is on the worklist. */
export type FilmOfInstance = { readonly film: FilmRow; readonly facts: string; readonly removedAtMs: number | null };

/** On the worklist or removed, in the order of adding. @param frameIndex  from 0 */
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
