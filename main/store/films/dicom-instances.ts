import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { getFilm, type FilmRow } from "./films.ts";

const rowSchema = z.object({
  filmId: z.string(),
  sopInstanceUid: z.string().nullable(),
  studyInstanceUid: z.string().nullable(),
  seriesInstanceUid: z.string().nullable(),
  /** JSON; its shape is that of the desktop contract's `dicomInstance`. */
  facts: z.string(),
});

/** The DICOM object that a film came as. */
export type DicomInstanceRow = Readonly<z.infer<typeof rowSchema>>;

const columns =
  "film_id AS filmId, sop_instance_uid AS sopInstanceUid, study_instance_uid AS studyInstanceUid, series_instance_uid AS seriesInstanceUid, facts";

/** Keeps what the file of a film said about itself; said again, the newer counts. */
export function saveDicomInstance(db: WritableDb, row: DicomInstanceRow): void {
  db.prepare(
    `INSERT OR REPLACE INTO dicom_instances (film_id, sop_instance_uid, study_instance_uid, series_instance_uid, facts)
     VALUES (:filmId, :sopInstanceUid, :studyInstanceUid, :seriesInstanceUid, :facts)`,
  ).run(row);
}

/** What is known of a film's DICOM object, null when it came as another kind of file. */
export function findDicomInstance(db: ReadableDb, filmId: string): DicomInstanceRow | null {
  const row = db.prepare(`SELECT ${columns} FROM dicom_instances WHERE film_id = ?`).get(filmId);
  return row === undefined ? null : rowSchema.parse(row);
}

const factsSchema = z.array(z.string());

/** What the files of a patient's films said about themselves (JSON), those on the worklist alone, newest first. */
export function listInstancesOfPatient(db: ReadableDb, patientId: string): readonly string[] {
  const rows = db
    .prepare(
      `SELECT facts FROM dicom_instances JOIN films ON films.id = film_id
      WHERE patient_id = ? AND removed_at_ms IS NULL ORDER BY taken_at_ms DESC`,
    )
    .pluck()
    .all(patientId);
  return factsSchema.parse(rows);
}

/** The film on the worklist that shows a frame of an instance, null when there is none. `frameIndex` counts from 0. */
export function findFilmBySopInstance(db: ReadableDb, sopInstanceUid: string, frameIndex: number): FilmRow | null {
  const filmId = db
    .prepare(
      `SELECT film_id FROM dicom_instances JOIN films ON films.id = film_id
      WHERE sop_instance_uid = ? AND frame_index = ? AND removed_at_ms IS NULL ORDER BY added_at_ms LIMIT 1`,
    )
    .pluck()
    .get(sopInstanceUid, frameIndex);
  return filmId === undefined ? null : getFilm(db, z.string().parse(filmId));
}
