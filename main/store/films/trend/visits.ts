import type { NotNull } from "kysely";
import type { ReadableDb } from "../../connection.ts";
import { lastVersionOf } from "../film-expressions.ts";

/** VHS [v] of a film's current reading, unrounded. */
export type FilmOfVisit = Readonly<{ filmId: string; patientId: string; atMs: number; vhs: number }>;

/** On the worklist, oldest first, without rejected readings. */
export async function listFilmsOfVisits(
  db: ReadableDb,
  patientIds: readonly string[],
): Promise<readonly FilmOfVisit[]> {
  if (patientIds.length === 0) return [];
  return await db
    .selectFrom("films")
    .innerJoin("readings", "readings.filmId", "films.id")
    .innerJoin("readingValues", "readingValues.readingId", "readings.id")
    .select(["films.id as filmId", "patientId", "takenAtMs as atMs", "readingValues.value as vhs"])
    .where("patientId", "in", patientIds)
    .where("films.removedAtMs", "is", null)
    .where("readings.version", "=", lastVersionOf("films.id"))
    .where("readings.verdict", "is distinct from", "rejected")
    .where("readingValues.measure", "=", "vhs")
    .orderBy("takenAtMs")
    .orderBy("films.rowid")
    .$narrowType<{ patientId: NotNull }>()
    .execute();
}
