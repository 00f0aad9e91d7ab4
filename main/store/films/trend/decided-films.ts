import { z } from "zod";
import type { NetworkMeasureName } from "../../../../core/cardiac/measures/measures.ts";
import { sampleFilms } from "../../../../core/sample-study.ts";
import type { ReadableDb } from "../../connection.ts";
import { lastVersionOf } from "../film-questions.ts";

const rowSchema = z.object({
  filmId: z.string(),
  patientId: z.string(),
  sha256: z.string(),
  atMs: z.int(),
  value: z.number(),
});

/**
 * Lists the films of all patients whose reading a user has accepted, corrected or placed, by patient and time, without
 * simulated films. `value`: of the measure [v], unrounded.
 */
export async function listDecidedFilms(
  db: ReadableDb,
  measure: NetworkMeasureName,
): Promise<readonly Readonly<z.infer<typeof rowSchema>>[]> {
  const rows = await db
    .selectFrom("films")
    .innerJoin("readings", "readings.filmId", "films.id")
    .innerJoin("readingValues", "readingValues.readingId", "readings.id")
    .select(["films.id as filmId", "patientId", "sha256", "takenAtMs as atMs", "readingValues.value"])
    .where("patientId", "is not", null)
    .where("films.removedAtMs", "is", null)
    .where(
      "sha256",
      "not in",
      sampleFilms.map(({ sha256 }) => sha256),
    )
    .where("readings.version", "=", lastVersionOf("films.id"))
    .where("readings.verdict", "in", ["accepted", "corrected", "by_hand"])
    .where("readingValues.measure", "=", measure)
    .orderBy("patientId")
    .orderBy("takenAtMs")
    .orderBy("films.rowid")
    .execute();
  return z.array(rowSchema).parse(rows);
}
