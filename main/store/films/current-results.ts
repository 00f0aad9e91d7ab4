import { sql } from "kysely";
import type { ReadableDb } from "../connection.ts";
import { lastVersionOf } from "./film-expressions.ts";

/** Changes with the reading, the patient and the date of a film, so that its result is then sent or written again. */
export const resultFingerprint = sql<string>`
  readings.id || ' ' || coalesce(films.patient_id, '') || ' ' || films.taken_at_ms`;

/** Of a film on the worklist or removed; null if it was never measured or is erased. */
export async function findCurrentResult(db: ReadableDb, filmId: string) {
  const row = await db
    .selectFrom("films")
    .innerJoin("readings", "readings.filmId", "films.id")
    .select(["films.sha256", "films.removedAtMs", "readings.verdict", "readings.atMs"])
    .select(resultFingerprint.as("fingerprint"))
    .where("films.id", "=", filmId)
    .where("readings.version", "=", lastVersionOf("films.id"))
    .executeTakeFirst();
  return row ?? null;
}
