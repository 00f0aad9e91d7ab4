import { z } from "zod";
import { confidenceTiers } from "../../../core/cardiac/confidence.ts";
import { valuesOf, type MeasureValues } from "../../../core/cardiac/measures/measures.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { ReadableDb } from "../connection.ts";
import { listAliases } from "./merged-patients.ts";
import { listPatientValues } from "./reading-values.ts";

const shared = { atMs: z.int(), tier: z.enum(confidenceTiers).nullable() };
const filmRow = z.object({
  ...shared,
  filmId: z.string().nullable(),
  readingId: z.string(),
  source: z.enum(["model", "person"]),
  who: z.string().nullable(),
  verdict: z.enum(["accepted", "rejected", "corrected", "by_hand"]).nullable(),
  originalId: z.string().nullable(),
});
const apiRow = z.object({ ...shared, vhs: z.number().nullable(), vlas: z.number().nullable() });

/** One date of a patient's trend; values in vertebrae, unrounded. */
export type TrendRow = {
  readonly atMs: number;
  /** null for a film that is off the worklist, and for what was measured through the API. */
  readonly filmId: string | null;
  readonly values: MeasureValues;
  readonly tier: z.infer<typeof filmRow>["tier"];
  readonly source: "model" | "person" | "api";
  readonly who: string | null;
  readonly verdict: z.infer<typeof filmRow>["verdict"];
  /** What the model's last reading of the same film says; null when there is none. */
  readonly original: MeasureValues | null;
};

/**
 * A patient's values by the day of the radiograph, oldest first: the version that counts of each film (rejected ones
 * left out), and what was measured through the API under the patient's uuid.
 */
export function listTrend(
  db: ReadableDb,
  patient: { readonly id: string; readonly uuid: string | null },
): readonly TrendRow[] {
  const rows = [...listFilms(db, patient.id), ...listApi(db, patient)];
  return rows.filter(({ values }) => values.vhs !== null).sort((a, b) => a.atMs - b.atMs);
}

function listFilms(db: ReadableDb, patientId: string): TrendRow[] {
  const rows = db
    .prepare(
      `SELECT taken_at_ms AS atMs, CASE WHEN removed_at_ms IS NULL THEN films.id END AS filmId, readings.id AS readingId, readings.tier, readings.source,
              readings.who, readings.verdict, original.id AS originalId
         FROM films JOIN readings ON readings.film_id = films.id
         LEFT JOIN readings AS original ON original.film_id = films.id
          AND original.version = (SELECT max(version) FROM readings AS own WHERE own.film_id = films.id AND own.source = 'model')
        WHERE patient_id = ? AND readings.version = (SELECT max(version) FROM readings AS other WHERE other.film_id = films.id)
          AND (readings.verdict IS NULL OR readings.verdict <> 'rejected')
        ORDER BY taken_at_ms`,
    )
    .all(patientId);
  const valuesOfReading = listPatientValues(db, patientId);
  return z
    .array(filmRow)
    .parse(rows)
    .map(({ readingId, originalId, ...row }) => ({
      ...row,
      values: valuesOfReading(readingId),
      original: originalId === null ? null : valuesOfReading(originalId),
    }));
}

function listApi(db: ReadableDb, patient: { readonly id: string; readonly uuid: string | null }): TrendRow[] {
  const rows = db
    .prepare(
      `SELECT at_ms AS atMs, vhs, vlas, tier FROM measurements
        WHERE service = 'cardiac' AND uuid_nfc IN (SELECT value FROM json_each(:uuids)) AND is_best = 1
          AND image_sha256 NOT IN (SELECT sha256 FROM films WHERE patient_id = :id)
        ORDER BY at_ms`,
    )
    .all({ id: patient.id, uuids: JSON.stringify([comparedIdentifier(patient.uuid), ...listAliases(db, patient.id)]) });
  const notOfFilm = { filmId: null, source: "api", who: null, verdict: null, original: null } as const;
  return z
    .array(apiRow)
    .parse(rows)
    .map(({ atMs, tier, ...numbers }) => ({
      ...notOfFilm,
      atMs,
      tier,
      values: valuesOf(({ name }) => (name in numbers ? numbers[name as keyof typeof numbers] : null)),
    }));
}
