import { z } from "zod";
import { confidenceTiers } from "../../../core/cardiac/confidence.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";

const rowSchema = z.object({
  id: z.string(),
  filmId: z.string(),
  version: z.int(),
  source: z.enum(["model", "person"]),
  verdict: z.enum(["accepted", "rejected", "corrected", "by_hand"]).nullable(),
  atMs: z.int(),
  who: z.string().nullable(),
  remark: z.string(),
  /** null where a person placed the points: the code is a statement about the networks. */
  resultCode: z.int().nullable(),
  vhs: z.number().nullable(),
  vlas: z.number().nullable(),
  tier: z.enum(confidenceTiers).nullable(),
  /** JSON: points, ruler, score, votes, provenance; its shape is that of the desktop contract's reading. */
  detail: z.string(),
});

/** One version of a film's measurement; scores in vertebrae, unrounded. */
export type ReadingRow = Readonly<z.infer<typeof rowSchema>>;

const columns =
  "readings.id AS id, film_id AS filmId, version, source, verdict, at_ms AS atMs, who, remark, result_code AS resultCode, vhs, vlas, tier, detail";

/** All versions of a film, first to last. */
export function listReadings(db: ReadableDb, filmId: string): readonly ReadingRow[] {
  return z
    .array(rowSchema)
    .parse(db.prepare(`SELECT ${columns} FROM readings WHERE film_id = ? ORDER BY version`).all(filmId));
}

/** The version of a film that counts, null when it has not been measured. */
export function getLatestReading(db: ReadableDb, filmId: string): ReadingRow | null {
  const row = db.prepare(`SELECT ${columns} FROM readings WHERE film_id = ? ORDER BY version DESC LIMIT 1`).get(filmId);
  return row === undefined ? null : rowSchema.parse(row);
}

/** Whether a reading of that id is in the store, of whatever film. */
export function hasReading(db: ReadableDb, id: string): boolean {
  return db.prepare("SELECT 1 FROM readings WHERE id = ?").get(id) !== undefined;
}

/** Appends the next version of a film's measurement. */
export function appendReading(db: WritableDb, reading: Omit<ReadingRow, "version">): ReadingRow {
  const append = db.transaction(() => {
    const version = z
      .int()
      .parse(
        db.prepare("SELECT coalesce(max(version), 0) + 1 FROM readings WHERE film_id = ?").pluck().get(reading.filmId),
      );
    const row = { ...reading, version };
    db.prepare(
      `INSERT INTO readings (id, film_id, version, source, verdict, at_ms, who, remark, result_code, vhs, vlas, tier, detail)
       VALUES (:id, :filmId, :version, :source, :verdict, :atMs, :who, :remark, :resultCode, :vhs, :vlas, :tier, :detail)`,
    ).run(row);
    return row;
  });
  return append.immediate();
}

const trendRowSchema = z.object({
  atMs: z.int(),
  filmId: z.string().nullable(),
  vhs: z.number().nullable(),
  vlas: z.number().nullable(),
  tier: z.enum(confidenceTiers).nullable(),
  source: z.enum(["model", "person", "api"]),
  who: z.string().nullable(),
  verdict: z.enum(["accepted", "rejected", "corrected", "by_hand"]).nullable(),
  /** The model's last reading of the same film. */
  originalVhs: z.number().nullable(),
  originalVlas: z.number().nullable(),
});

/** One value of a patient's trend. */
export type TrendRow = Readonly<z.infer<typeof trendRowSchema>>;

/**
 * A patient's scores by the day of the radiograph, oldest first: the version that counts of each film (rejected ones
 * left out), and what was measured through the API under the patient's uuid.
 */
export function listTrend(
  db: ReadableDb,
  patient: { readonly id: string; readonly uuid: string | null },
): readonly TrendRow[] {
  const rows = db.prepare(
    `SELECT taken_at_ms AS atMs, iif(removed_at_ms IS NULL, films.id, NULL) AS filmId, readings.vhs, readings.vlas, readings.tier, readings.source,
            readings.who, readings.verdict, original.vhs AS originalVhs, original.vlas AS originalVlas
       FROM films JOIN readings ON readings.film_id = films.id
       LEFT JOIN readings AS original ON original.film_id = films.id
        AND original.version = (SELECT max(version) FROM readings AS own WHERE own.film_id = films.id AND own.source = 'model')
      WHERE patient_id = :id AND readings.version = (SELECT max(version) FROM readings AS other WHERE other.film_id = films.id)
        AND readings.verdict IS NOT 'rejected' AND readings.vhs IS NOT NULL
     UNION ALL
     SELECT at_ms, NULL, vhs, vlas, tier, 'api', NULL, NULL, NULL, NULL FROM measurements
      WHERE service = 'cardiac' AND uuid = :uuid AND is_best = 1
        AND image_sha256 NOT IN (SELECT sha256 FROM films WHERE patient_id = :id)
     ORDER BY atMs`,
  );
  return z.array(trendRowSchema).parse(rows.all(patient));
}
