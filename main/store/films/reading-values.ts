import { z } from "zod";
import { measures, valuesOf, type MeasureValues } from "../../../core/cardiac/measures/measures.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";

const valueRow = z.object({ readingId: z.string(), measure: z.string(), value: z.number() });

/** Keeps the values of a reading [v], unrounded: a row for each measure that has one. */
export function insertReadingValues(db: WritableDb, readingId: string, values: MeasureValues): void {
  const insert = db.prepare("INSERT INTO reading_values (reading_id, measure, value) VALUES (?, ?, ?)");
  for (const { name } of measures) if (typeof values[name] === "number") insert.run(readingId, name, values[name]);
}

/** Values of one reading [v]. */
export function getReadingValues(db: ReadableDb, readingId: string): MeasureValues {
  const rows = db
    .prepare("SELECT reading_id AS readingId, measure, value FROM reading_values WHERE reading_id = ?")
    .all(readingId);
  return valuesByReading(rows)(readingId);
}

/** Values of every reading of a patient's films [v], by the reading's id. */
export function listPatientValues(db: ReadableDb, patientId: string): (readingId: string) => MeasureValues {
  const rows = db
    .prepare(
      `SELECT reading_id AS readingId, measure, value
         FROM reading_values JOIN readings ON readings.id = reading_id JOIN films ON films.id = film_id
        WHERE patient_id = ?`,
    )
    .all(patientId);
  return valuesByReading(rows);
}

/** A measure that this version of the program does not know is passed over. */
function valuesByReading(rows: readonly unknown[]): (readingId: string) => MeasureValues {
  const numbers = new Map(
    z
      .array(valueRow)
      .parse(rows)
      .map(({ readingId, measure, value }) => [`${measure} ${readingId}`, value]),
  );
  return (readingId) => valuesOf(({ name }) => numbers.get(`${name} ${readingId}`));
}
