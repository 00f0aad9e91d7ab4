import { z } from "zod";
import type { ReadableDb } from "../../connection.ts";
import { lastVersionOf } from "../film-expressions.ts";

const rowSchema = z.object({ filmId: z.string(), patientId: z.string(), atMs: z.int(), vhs: z.number() });

/** VHS [v] of a film's current reading, unrounded. */
export type FilmOfVisit = Readonly<z.infer<typeof rowSchema>>;

/** Lists films on the worklist of some patients that have a VHS, oldest first, without rejected readings. */
export async function listFilmsOfVisits(
  db: ReadableDb,
  patientIds: readonly string[],
): Promise<readonly FilmOfVisit[]> {
  if (patientIds.length === 0) return [];
  const rows = await db
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
    .execute();
  return z.array(rowSchema).parse(rows);
}
