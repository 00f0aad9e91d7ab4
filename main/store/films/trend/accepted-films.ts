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
 * Lists the films of all patients whose reading a user has accepted, by patient and time, without simulated films.
 * `value`: of the measure [v], unrounded.
 *
 * @param newest  at most so many, those accepted last
 */
export async function listAcceptedFilms(
  db: ReadableDb,
  measure: NetworkMeasureName,
  newest: number,
): Promise<readonly Readonly<z.infer<typeof rowSchema>>[]> {
  const accepted = db
    .selectFrom("readings")
    .select(["id", "filmId", "version"])
    .where("verdict", "=", "accepted")
    .orderBy("atMs", "desc")
    .limit(newest);
  const rows = await db
    .selectFrom(accepted.as("accepted"))
    .innerJoin("films", "films.id", "accepted.filmId")
    .innerJoin("readingValues", "readingValues.readingId", "accepted.id")
    .select(["films.id as filmId", "patientId", "sha256", "takenAtMs as atMs", "readingValues.value"])
    .where("patientId", "is not", null)
    .where("films.removedAtMs", "is", null)
    .where(
      "sha256",
      "not in",
      sampleFilms.map(({ sha256 }) => sha256),
    )
    .where("accepted.version", "=", lastVersionOf("films.id"))
    .where("readingValues.measure", "=", measure)
    .orderBy("patientId")
    .orderBy("takenAtMs")
    .orderBy("films.rowid")
    .execute();
  return z.array(rowSchema).parse(rows);
}
