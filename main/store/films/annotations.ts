import type { Selectable } from "kysely";
import { AppError, because } from "../../../core/app-error.ts";
import { currentActor } from "../audit/acting.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";
import { sealValues } from "../record/value-seals.ts";
import type { Tables } from "../tables.ts";
import { patientOfFilm } from "./films.ts";

/** One version of a film's annotations; `content`: JSON of the desktop contract's `annotationSet`. */
export type AnnotationRow = Readonly<Selectable<Tables["annotations"]>>;

export async function listAnnotations(db: ReadableDb, filmId: string): Promise<readonly AnnotationRow[]> {
  return await db.selectFrom("annotations").selectAll().where("filmId", "=", filmId).orderBy("version").execute();
}

export async function getLatestAnnotations(db: ReadableDb, filmId: string): Promise<AnnotationRow | null> {
  const versions = db.selectFrom("annotations").selectAll().where("filmId", "=", filmId);
  return (await versions.orderBy("version", "desc").limit(1).executeTakeFirst()) ?? null;
}

/** @param basedOn  the changed version, 0 for none @throws AppError CONFLICT if the film has a newer one */
export function appendAnnotations(
  db: WritableDb,
  annotations: Omit<AnnotationRow, "version"> & { readonly basedOn: number },
): Promise<AnnotationRow> {
  return transaction(db, async () => {
    const { basedOn, ...rest } = annotations;
    const latest = (await getLatestAnnotations(db, rest.filmId))?.version ?? 0;
    if (latest !== basedOn) throw new AppError("CONFLICT", because("annotationsSuperseded"));
    const row = { ...rest, version: latest + 1 };
    await db.insertInto("annotations").values(row).execute();
    await sealValues(db, "annotations", row.id);
    const actor = currentActor();
    await recordAudit(db, {
      action: "film.annotated",
      at: new Date(row.atMs),
      by: { ...actor, who: actor.personId === null ? row.who : actor.who },
      patientId: await patientOfFilm(db, row.filmId),
      subject: row.filmId,
      detail: { version: row.version },
    });
    return row;
  });
}
