import type { Selectable } from "kysely";
import type { MeasureValues } from "../../../core/cardiac/measures/measures.ts";
import type { AuditAction } from "../../../core/people/audit-actions.ts";
import { currentActor, programActor } from "../audit/acting.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";
import { sealValues } from "../record/value-seals.ts";
import type { Tables } from "../tables.ts";
import { patientOfFilm } from "./films.ts";
import { lastVersionOf } from "./film-expressions.ts";
import { insertReadingValues, listReadingValues } from "./reading-values.ts";

type StoredReading = Readonly<Selectable<Tables["readings"]>>;

/** One version of a film's measurement; values in vertebrae, unrounded. */
export type ReadingRow = StoredReading & { readonly values: MeasureValues };

/** First to last. */
export async function listReadings(db: ReadableDb, filmId: string): Promise<readonly ReadingRow[]> {
  return (await listReadingsOfFilms(db, [filmId])).get(filmId) ?? [];
}

/** First to last, by film id. */
export async function listReadingsOfFilms(
  db: ReadableDb,
  filmIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ReadingRow[]>> {
  if (filmIds.length === 0) return new Map();
  const versions = db.selectFrom("readings").selectAll().where("filmId", "in", filmIds).orderBy("version");
  return Map.groupBy(await withValues(db, await versions.execute()), ({ filmId }) => filmId);
}

/** Null if the film has not been measured. */
export async function getLatestReading(db: ReadableDb, filmId: string): Promise<ReadingRow | null> {
  return (await listLatestReadings(db, [filmId])).get(filmId) ?? null;
}

/** By film id; films that have not been measured are left out. */
export async function listLatestReadings(
  db: ReadableDb,
  filmIds: readonly string[],
): Promise<ReadonlyMap<string, ReadingRow>> {
  if (filmIds.length === 0) return new Map();
  const versions = db.selectFrom("readings").selectAll().where("filmId", "in", filmIds);
  const rows = await versions.where("version", "=", lastVersionOf("readings.filmId")).execute();
  return new Map((await withValues(db, rows)).map((reading) => [reading.filmId, reading]));
}

/** Details of the networks' results by film id, oldest first. */
export async function listProposedDetails(
  db: ReadableDb,
  filmIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (filmIds.length === 0) return new Map();
  const proposed = db.selectFrom("readings").select(["filmId", "detail"]).where("source", "=", "model");
  const rows = await proposed.where("filmId", "in", filmIds).orderBy("version").execute();
  const byFilm = Map.groupBy(rows, ({ filmId }) => filmId);
  return new Map([...byFilm].map(([filmId, its]) => [filmId, its.map(({ detail }) => detail)]));
}

/** Oldest first, by film id. */
export async function listVersions(
  db: ReadableDb,
  filmIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Pick<StoredReading, "filmId" | "source" | "verdict" | "tier" | "who">[]>> {
  if (filmIds.length === 0) return new Map();
  const versions = db.selectFrom("readings").select(["filmId", "source", "verdict", "tier", "who"]);
  const rows = await versions.where("filmId", "in", filmIds).orderBy("version").execute();
  return Map.groupBy(rows, ({ filmId }) => filmId);
}

async function withValues(db: ReadableDb, readings: readonly StoredReading[]): Promise<ReadingRow[]> {
  const valuesOf = await listReadingValues(
    db,
    readings.map(({ id }) => id),
  );
  return readings.map((reading) => ({ ...reading, values: valuesOf(reading.id) }));
}

export async function hasReading(db: ReadableDb, id: string): Promise<boolean> {
  return (await db.selectFrom("readings").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** @param options  `undoneAt`: when the user undid the last version, if this one is a copy of the one before it */
export function appendReading(
  db: WritableDb,
  reading: Omit<ReadingRow, "version">,
  { undoneAt = null }: { readonly undoneAt?: Date | null } = {},
): Promise<ReadingRow> {
  return transaction(db, async () => {
    const { values, ...said } = reading;
    const { last } = await db
      .selectFrom("readings")
      .select(({ fn }) => fn.max("version").as("last"))
      .where("filmId", "=", reading.filmId)
      .executeTakeFirstOrThrow();
    const row = { ...said, version: (last ?? 0) + 1 };
    await db.insertInto("readings").values(row).execute();
    await insertReadingValues(db, row.id, values);
    await sealValues(db, "readings", row.id);
    await auditReading(db, row, undoneAt);
    return { ...row, values };
  });
}

async function auditReading(db: WritableDb, row: StoredReading, undoneAt: Date | null): Promise<void> {
  const { id, filmId, version, source, verdict, atMs, who } = row;
  const actor = currentActor();
  await recordAudit(db, {
    ...(undoneAt
      ? { action: "reading.undone", at: undoneAt, by: actor }
      : {
          action: actionOf(source, verdict),
          at: new Date(atMs),
          // Readings of the networks have the program as actor, not the user who opened the film.
          by: source === "model" ? programActor : { ...actor, who: actor.personId === null ? who : actor.who },
        }),
    patientId: await patientOfFilm(db, filmId),
    subject: filmId,
    detail: { reading: id, version },
  });
}

function actionOf(source: ReadingRow["source"], verdict: ReadingRow["verdict"]): AuditAction {
  return source === "model" || verdict === null ? "reading.measured" : `reading.${verdict}`;
}
