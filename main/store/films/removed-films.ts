import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";
import { filmColumns, filmRow, getFilm, nextQueueNumber, patientOfFilm, type FilmRow, type NewFilm } from "./films.ts";

export async function removeFilm(db: WritableDb, id: string, atMs: number): Promise<void> {
  await transaction(db, async () => {
    const patientId = await patientOfFilm(db, id);
    await db
      .updateTable("films")
      .set({ removedAtMs: atMs, hasImage: 0, hasRectified: 0, queueNumber: null })
      .set((film) => ({
        state: film.case().when("state", "in", ["queued", "measuring"]).then("cancelled").else(film.ref("state")).end(),
      }))
      .where("id", "=", id)
      .execute();
    await recordAudit(db, { action: "film.removed", at: new Date(atMs), patientId, subject: id });
  });
}

/** The most recently removed one. */
export async function findRemovedFilm(db: ReadableDb, sha256: string, frameIndex: number): Promise<FilmRow | null> {
  const row = await db
    .selectFrom("films")
    .select(filmColumns)
    .where("removedAtMs", "is not", null)
    .where("sha256", "=", sha256)
    .where("frameIndex", "=", frameIndex)
    .orderBy("removedAtMs", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? filmRow.parse(row) : null;
}

/**
 * Restores a film under its previous id and date, so that its readings apply again.
 *
 * @param film  the film as opened now: the same picture, possibly in another file
 */
export function restoreFilm(db: WritableDb, id: string, film: NewFilm): Promise<FilmRow> {
  return transaction(db, async () => {
    const { fileName, sha256, addedAtMs, place, patientId } = film;
    const read = await db.selectFrom("readings").select("id").where("filmId", "=", id).limit(1).executeTakeFirst();
    const state = read ? "done" : film.state;
    const queueNumber = state === "queued" ? nextQueueNumber : null;
    await db
      .updateTable("films")
      .set({ fileName, sha256, addedAtMs, place, patientId, state, queueNumber })
      .set({ removedAtMs: null, hasImage: 1, failureCode: null, failureMessage: null, machineId: null })
      .where("id", "=", id)
      .execute();
    await recordAudit(db, { action: "film.returned", patientId, subject: id });
    return await getFilm(db, id);
  });
}
