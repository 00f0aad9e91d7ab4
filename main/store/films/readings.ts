import { z } from "zod";
import { confidenceTiers } from "../../../core/cardiac/confidence.ts";
import type { MeasureValues } from "../../../core/cardiac/measures/measures.ts";
import type { AuditAction } from "../../../core/people/audit-actions.ts";
import { currentActor, theProgram } from "../audit/acting.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { sealValues } from "../record/value-seals.ts";
import { patientOfFilm } from "./films.ts";
import { getReadingValues, insertReadingValues } from "./reading-values.ts";

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
  tier: z.enum(confidenceTiers).nullable(),
  /** JSON: points, ruler, score, votes, provenance; its shape is that of the desktop contract's reading. */
  detail: z.string(),
});

/** One version of a film's measurement; values in vertebrae, unrounded. */
export type ReadingRow = Readonly<z.infer<typeof rowSchema>> & { readonly values: MeasureValues };

const columns =
  "id, film_id AS filmId, version, source, verdict, at_ms AS atMs, who, remark, result_code AS resultCode, tier, detail";

/** All versions of a film, first to last. */
export function listReadings(db: ReadableDb, filmId: string): readonly ReadingRow[] {
  const rows = db.prepare(`SELECT ${columns} FROM readings WHERE film_id = ? ORDER BY version`).all(filmId);
  return rows.map((row) => withValues(db, rowSchema.parse(row)));
}

/** The version of a film that counts, null when it has not been measured. */
export function getLatestReading(db: ReadableDb, filmId: string): ReadingRow | null {
  const row = db.prepare(`SELECT ${columns} FROM readings WHERE film_id = ? ORDER BY version DESC LIMIT 1`).get(filmId);
  return row === undefined ? null : withValues(db, rowSchema.parse(row));
}

function withValues(db: ReadableDb, row: z.infer<typeof rowSchema>): ReadingRow {
  return { ...row, values: getReadingValues(db, row.id) };
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
    const { values, ...columnsOfRow } = row;
    db.prepare(
      `INSERT INTO readings (id, film_id, version, source, verdict, at_ms, who, remark, result_code, tier, detail)
       VALUES (:id, :filmId, :version, :source, :verdict, :atMs, :who, :remark, :resultCode, :tier, :detail)`,
    ).run(columnsOfRow);
    insertReadingValues(db, row.id, values);
    sealValues(db, "readings", row.id);
    auditReading(db, row);
    return row;
  });
  return append.immediate();
}

function auditReading(db: WritableDb, { id, filmId, version, source, verdict, atMs, who }: ReadingRow): void {
  const actor = currentActor();
  recordAudit(db, {
    action: actionOf(source, verdict),
    at: new Date(atMs),
    // The networks measure for themselves, whoever opened the film.
    by: source === "model" ? theProgram : { ...actor, who: actor.personId === null ? who : actor.who },
    patientId: patientOfFilm(db, filmId),
    subject: filmId,
    detail: { reading: id, version },
  });
}

function actionOf(source: ReadingRow["source"], verdict: ReadingRow["verdict"]): AuditAction {
  return source === "model" || verdict === null ? "reading.measured" : `reading.${verdict}`;
}
