import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { currentActor } from "../audit/acting.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { sealValues } from "../record/value-seals.ts";
import { patientOfFilm } from "./films.ts";

const rowSchema = z.object({
  id: z.string(),
  filmId: z.string(),
  version: z.int(),
  atMs: z.int(),
  who: z.string().nullable(),
  /** JSON of the desktop contract's `annotationSet`. */
  content: z.string(),
});

/** One version of everything that persons drew on a film. */
export type AnnotationRow = Readonly<z.infer<typeof rowSchema>>;

const columns = "id, film_id AS filmId, version, at_ms AS atMs, who, content";

/** All versions of a film's annotations, first to last. */
export function listAnnotations(db: ReadableDb, filmId: string): readonly AnnotationRow[] {
  const rows = db.prepare(`SELECT ${columns} FROM annotations WHERE film_id = ? ORDER BY version`).all(filmId);
  return z.array(rowSchema).parse(rows);
}

/** The version that counts; null where nobody drew anything. */
export function getLatestAnnotations(db: ReadableDb, filmId: string): AnnotationRow | null {
  const row = db
    .prepare(`SELECT ${columns} FROM annotations WHERE film_id = ? ORDER BY version DESC LIMIT 1`)
    .get(filmId);
  return row === undefined ? null : rowSchema.parse(row);
}

/**
 * Appends the next version of a film's annotations.
 *
 * @param basedOn  the version that was changed, 0 for none
 * @throws AppError CONFLICT when another version counts by now
 */
export function appendAnnotations(
  db: WritableDb,
  annotations: Omit<AnnotationRow, "version"> & { readonly basedOn: number },
): AnnotationRow {
  const append = db.transaction(() => {
    const { basedOn, ...rest } = annotations;
    const latest = getLatestAnnotations(db, rest.filmId)?.version ?? 0;
    if (latest !== basedOn) throw new AppError("CONFLICT", because("annotationsSuperseded"));
    const row = { ...rest, version: latest + 1 };
    db.prepare(
      `INSERT INTO annotations (id, film_id, version, at_ms, who, content)
       VALUES (:id, :filmId, :version, :atMs, :who, :content)`,
    ).run(row);
    sealValues(db, "annotations", row.id);
    const actor = currentActor();
    recordAudit(db, {
      action: "film.annotated",
      at: new Date(row.atMs),
      by: { ...actor, who: actor.personId === null ? row.who : actor.who },
      patientId: patientOfFilm(db, row.filmId),
      subject: row.filmId,
      detail: { version: row.version },
    });
    return row;
  });
  return append.immediate();
}
