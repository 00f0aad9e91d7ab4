import { z } from "zod";
import { AppError, because, type Reason } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { recordAudit } from "../audit/audit-events.ts";

const filmStates = ["queued", "measuring", "done", "failed", "cancelled"] as const;

/** A film as the store answers it. */
export const filmRow = z.object({
  id: z.string(),
  fileName: z.string(),
  sha256: z.string(),
  origin: z.enum(["file", "paste", "capture", "dicom"]),
  addedAtMs: z.int(),
  takenAtMs: z.int(),
  patientId: z.string().nullable(),
  state: z.enum(filmStates),
  queueNumber: z.int().nullable(),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  widthPx: z.int(),
  heightPx: z.int(),
  hasImage: z.literal([0, 1]).transform(Boolean),
  hasRectified: z.literal([0, 1]).transform(Boolean),
  /** Which frame of a file of several, from 0. */
  frameIndex: z.int(),
  /** Place among the films that were added together, from 0. */
  place: z.int(),
});

/** A film of the worklist as stored; times in ms UTC, lengths in px of the upright full-size film. */
export type FilmRow = Readonly<z.infer<typeof filmRow>>;

/** A film that is added: everything but what the store decides. */
export type NewFilm = Pick<
  FilmRow,
  | "id"
  | "fileName"
  | "sha256"
  | "origin"
  | "addedAtMs"
  | "takenAtMs"
  | "patientId"
  | "widthPx"
  | "heightPx"
  | "frameIndex"
  | "place"
> & {
  /** `queued` to be measured, `cancelled` to wait for a person, `done` when its reading comes with it. */
  readonly state: "queued" | "cancelled" | "done";
};

/** How a film left the networks, or a queue. */
export type FilmOutcome =
  | { readonly state: "done" | "cancelled" }
  | { readonly state: "failed"; readonly code: string; readonly message: string; readonly reason?: Reason };

/** Columns of a film's row. */
export const filmColumns = `films.id AS id, file_name AS fileName, sha256, origin, added_at_ms AS addedAtMs, taken_at_ms AS takenAtMs, patient_id AS patientId, state,
  queue_number AS queueNumber, failure_code AS failureCode, failure_message AS failureMessage, width_px AS widthPx, height_px AS heightPx,
  has_image AS hasImage, has_rectified AS hasRectified, frame_index AS frameIndex, place`;

/** Number of films on the worklist in each state. */
export function countFilms(db: ReadableDb): Readonly<Record<FilmRow["state"], number>> {
  const rows = z
    .array(z.object({ state: z.enum(filmStates), films: z.int() }))
    .parse(db.prepare("SELECT state, count(*) AS films FROM films WHERE removed_at_ms IS NULL GROUP BY state").all());
  return Object.fromEntries(
    filmStates.map((state) => [state, rows.find((row) => row.state === state)?.films ?? 0]),
  ) as Record<FilmRow["state"], number>;
}

/** A film of the worklist, null when it never was or is no longer there. */
export function findFilm(db: ReadableDb, id: string): FilmRow | null {
  const row = db.prepare(`SELECT ${filmColumns} FROM films WHERE id = ? AND removed_at_ms IS NULL`).get(id);
  return row === undefined ? null : filmRow.parse(row);
}

/** @throws AppError NOT_FOUND when it never was or is no longer on the worklist */
export function getFilm(db: ReadableDb, id: string): FilmRow {
  const film = findFilm(db, id);
  if (film === null) throw new AppError("NOT_FOUND", because("filmNotFound"));
  return film;
}

/** Whose film it is, on the worklist or not; null where it is nobody's. */
export function patientOfFilm(db: ReadableDb, id: string): string | null {
  return z
    .string()
    .nullable()
    .parse(db.prepare("SELECT patient_id FROM films WHERE id = ?").pluck().get(id) ?? null);
}

/** The film on the worklist that shows a frame of these bytes, null when there is none. */
export function findFilmBySha256(db: ReadableDb, sha256: string, frameIndex = 0): FilmRow | null {
  const row = db
    .prepare(`SELECT ${filmColumns} FROM films WHERE sha256 = ? AND frame_index = ? AND removed_at_ms IS NULL`)
    .get(sha256, frameIndex);
  return row === undefined ? null : filmRow.parse(row);
}

/**
 * Number of films on the worklist whose image is kept in the file with this hash: more than one when several frames of
 * it were chosen.
 */
export function countFilmsOfFile(db: ReadableDb, sha256: string): number {
  return z
    .int()
    .parse(
      db
        .prepare("SELECT count(*) FROM films WHERE sha256 = ? AND has_image = 1 AND removed_at_ms IS NULL")
        .pluck()
        .get(sha256),
    );
}

/** Hashes of the files that are kept for films on the worklist. */
export function listKeptHashes(db: ReadableDb): ReadonlySet<string> {
  const hashes = db.prepare("SELECT DISTINCT sha256 FROM films WHERE has_image = 1 AND removed_at_ms IS NULL");
  return new Set(z.array(z.string()).parse(hashes.pluck().all()));
}

/** Gives a film another file with the same picture, which is kept from now on. */
export function setFilmFile(db: WritableDb, id: string, sha256: string): void {
  db.prepare("UPDATE films SET sha256 = :sha256, has_image = 1, has_rectified = 0 WHERE id = :id").run({ id, sha256 });
}

/** Films whose image is kept and that were added before a time [ms UTC], oldest first. */
export function listFilmsWithImage(db: ReadableDb, addedBeforeMs: number): readonly FilmRow[] {
  const rows = db
    .prepare(
      `SELECT ${filmColumns} FROM films WHERE removed_at_ms IS NULL AND has_image = 1 AND added_at_ms < ? ORDER BY added_at_ms`,
    )
    .all(addedBeforeMs);
  return z.array(filmRow).parse(rows);
}

/** Adds a film to the worklist; a `queued` one goes to the end of the queue. */
export function addFilm(db: WritableDb, film: NewFilm): FilmRow {
  db.prepare(
    `INSERT INTO films (id, file_name, sha256, origin, added_at_ms, taken_at_ms, patient_id, state, queue_number, width_px, height_px, frame_index, place, has_image)
     VALUES (:id, :fileName, :sha256, :origin, :addedAtMs, :takenAtMs, :patientId, :state, iif(:state = 'queued', ${nextQueueNumber}, NULL), :widthPx, :heightPx, :frameIndex, :place, 1)`,
  ).run(film);
  return getFilm(db, film.id);
}

const nextQueueNumber = "(SELECT coalesce(max(queue_number), 0) + 1 FROM films)";

/** Puts a film that is not waiting at the end of the queue; others stay as they are. */
export function queueFilm(db: WritableDb, id: string): void {
  db.prepare(
    `UPDATE films SET state = 'queued', queue_number = ${nextQueueNumber}, failure_code = NULL, failure_message = NULL WHERE id = ? AND has_image = 1 AND queue_number IS NULL`,
  ).run(id);
}

/** Takes the next film out of the queue and marks it as being measured; null when none waits. */
export function takeNextFilm(db: WritableDb): FilmRow | null {
  const take = db.transaction(() => {
    const row = db
      .prepare(
        `SELECT ${filmColumns} FROM films WHERE state = 'queued' AND removed_at_ms IS NULL ORDER BY queue_number LIMIT 1`,
      )
      .get();
    if (row === undefined) return null;
    const film = filmRow.parse(row);
    db.prepare("UPDATE films SET state = 'measuring' WHERE id = ?").run(film.id);
    return getFilm(db, film.id);
  });
  return take.immediate();
}

/** Ids of the films that wait or are under way, in the order in which they will be measured. */
export function listQueue(db: ReadableDb): readonly string[] {
  return z
    .array(z.string())
    .parse(
      db
        .prepare("SELECT id FROM films WHERE queue_number IS NOT NULL AND removed_at_ms IS NULL ORDER BY queue_number")
        .pluck()
        .all(),
    );
}

/** Films that a stopped program left half measured wait again, in their old place. */
export function requeueInterruptedFilms(db: WritableDb): void {
  db.prepare("UPDATE films SET state = 'queued' WHERE state = 'measuring'").run();
}

/** Ends a film's waiting or measuring. */
export function finishFilm(db: WritableDb, id: string, outcome: FilmOutcome): void {
  const failure =
    outcome.state === "failed"
      ? { code: outcome.code, message: outcome.reason ? JSON.stringify(outcome.reason) : outcome.message }
      : { code: null, message: null };
  db.prepare(
    "UPDATE films SET state = :state, queue_number = NULL, failure_code = :code, failure_message = :message WHERE id = :id",
  ).run({ id, state: outcome.state, ...failure });
}

/** Sets the day of the radiograph [ms UTC]. */
export function setTakenAt(db: WritableDb, id: string, takenAtMs: number): void {
  const set = db.transaction(() => {
    db.prepare("UPDATE films SET taken_at_ms = :takenAtMs WHERE id = :id").run({ id, takenAtMs });
    recordAudit(db, { action: "film.dated", patientId: patientOfFilm(db, id), subject: id });
  });
  set.immediate();
}

/** Gives a film to a patient, or to nobody. */
export function assignFilm(db: WritableDb, id: string, patientId: string | null): void {
  const assign = db.transaction(() => {
    const before = patientOfFilm(db, id);
    db.prepare("UPDATE films SET patient_id = :patientId WHERE id = :id").run({ id, patientId });
    recordAudit(db, { action: "film.assigned", patientId, subject: id, detail: { was: before } });
  });
  assign.immediate();
}

/** Records which images of a film are kept. */
export function setKeptImages(
  db: WritableDb,
  id: string,
  kept: { readonly hasImage: boolean; readonly hasRectified: boolean },
): void {
  db.prepare("UPDATE films SET has_image = :hasImage, has_rectified = :hasRectified WHERE id = :id").run({
    id,
    hasImage: Number(kept.hasImage),
    hasRectified: Number(kept.hasRectified),
  });
}

/** Takes a film off the worklist. Its readings stay. */
export function removeFilm(db: WritableDb, id: string, atMs: number): void {
  const remove = db.transaction(() => {
    const patientId = patientOfFilm(db, id);
    db.prepare(
      `UPDATE films SET removed_at_ms = :atMs, has_image = 0, has_rectified = 0, queue_number = NULL,
       state = iif(state IN ('queued', 'measuring'), 'cancelled', state) WHERE id = :id`,
    ).run({ id, atMs });
    recordAudit(db, { action: "film.removed", at: new Date(atMs), patientId, subject: id });
  });
  remove.immediate();
}
