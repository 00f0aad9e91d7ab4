import { measures, valuesOf, type MeasureValues } from "../../../core/cardiac/measures/measures.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Tables } from "../tables.ts";

/** Saves values [v], unrounded: one row per measure with a value. */
export async function insertReadingValues(db: WritableDb, readingId: string, values: MeasureValues): Promise<void> {
  for (const { name: measure } of measures) {
    const value = values[measure];
    if (typeof value === "number") await db.insertInto("readingValues").values({ readingId, measure, value }).execute();
  }
}

/** [v], by the reading's id. */
export async function listReadingValues(
  db: ReadableDb,
  readingIds: readonly string[],
): Promise<(readingId: string) => MeasureValues> {
  const values = db.selectFrom("readingValues").selectAll().where("readingId", "in", readingIds);
  return valuesByReading(readingIds.length === 0 ? [] : await values.execute());
}

/** [v], by the reading's id. */
export async function listPatientValues(
  db: ReadableDb,
  patientId: string,
): Promise<(readingId: string) => MeasureValues> {
  const rows = await db
    .selectFrom("readingValues")
    .innerJoin("readings", "readings.id", "readingId")
    .innerJoin("films", "films.id", "filmId")
    .select(["readingId", "measure", "value"])
    .where("patientId", "=", patientId)
    .execute();
  return valuesByReading(rows);
}

/** Skips measures that this version of the program does not have. */
function valuesByReading(rows: readonly Tables["readingValues"][]): (readingId: string) => MeasureValues {
  const numbers = new Map(rows.map(({ readingId, measure, value }) => [`${measure} ${readingId}`, value]));
  return (readingId) => valuesOf(({ name }) => numbers.get(`${name} ${readingId}`));
}
