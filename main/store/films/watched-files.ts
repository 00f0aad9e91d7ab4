import { createHash } from "node:crypto";
import { sampleHashes } from "../../../core/sample-study.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf, transaction } from "../engines/engine.ts";
import { resultFingerprint } from "./current-results.ts";
import type { Tables } from "../tables.ts";
import { lastVersionOf } from "./film-expressions.ts";

export type WatchedOutcome = Tables["watchedFiles"]["outcome"];
export type ListedFile = { readonly path: string; readonly sizeBytes: number; readonly changedAtMs: number };

/** Null for a new file. Path, size and time of change identify a file. */
export async function watchedOutcome(db: ReadableDb, file: ListedFile): Promise<WatchedOutcome | null> {
  const { pathSha256, sizeBytes, changedAtMs } = keyOf(db, file);
  const found = await db
    .selectFrom("watchedFiles")
    .select("outcome")
    .where("pathSha256", "=", pathSha256)
    .where("sizeBytes", "=", sizeBytes)
    .where("changedAtMs", "=", changedAtMs)
    .executeTakeFirst();
  return found?.outcome ?? null;
}

export async function saveWatchedOutcome(
  db: WritableDb,
  file: ListedFile,
  { outcome, filmIds, atMs }: { outcome: WatchedOutcome; filmIds: readonly string[]; atMs: number },
): Promise<void> {
  const { machineId } = engineOf(db);
  const { pathSha256, ...kept } = { ...keyOf(db, file), outcome, atMs };
  await transaction(db, async () => {
    await db
      .insertInto("watchedFiles")
      .values({ pathSha256, ...kept })
      .onConflict((known) => known.column("pathSha256").doUpdateSet(kept))
      .execute();
    for (const filmId of filmIds)
      await db
        .insertInto("watchedFilms")
        .values({ filmId, machineId })
        .onConflict((known) => known.column("filmId").doNothing())
        .execute();
  });
}

/** Without these outcomes, every file in a watched folder would be imported into the practice's worklist again. */
export async function copyWatchedFiles(from: ReadableDb, to: WritableDb): Promise<void> {
  const { machineId } = engineOf(to);
  for (let last = ""; ;) {
    const next = from.selectFrom("watchedFiles").selectAll().where("pathSha256", ">", last).orderBy("pathSha256");
    const rows = await next.limit(pageRows).execute();
    if (rows.length === 0) return;
    last = rows.at(-1)?.pathSha256 ?? last;
    await to
      .insertInto("watchedFiles")
      .values(rows.map((row) => ({ ...row, pathSha256: keyOn(machineId, row.pathSha256) })))
      .onConflict((known) => known.column("pathSha256").doNothing())
      .execute();
  }
}

/** Rows per statement: well below PostgreSQL's limit of parameters. */
const pageRows = 1000;

type OutboxFilter = {
  /** Also films that were removed or have no image, if decided since then [UTC ms]. */
  readonly decidedSinceMs: number;
  /** Also films added since then [UTC ms] that are not from watched folders, except simulated ones; null for none. */
  readonly otherFilmsSinceMs: number | null;
  /** Default: this workstation. */
  readonly machineId?: string | null;
};

/**
 * Films whose current result is not in a workstation's outbox: those of its watched folders, of all workstations for a
 * store in a file, and others whose results no workstation has written.
 */
export async function filmsForOutbox(
  db: ReadableDb,
  { decidedSinceMs, otherFilmsSinceMs, machineId = engineOf(db).machineId }: OutboxFilter,
): Promise<readonly { readonly filmId: string; readonly fingerprint: string; readonly atMs: number }[]> {
  return await db
    .selectFrom("films")
    .leftJoin("watchedFilms", "watchedFilms.filmId", "films.id")
    .innerJoin("readings", "readings.filmId", "films.id")
    .select(["films.id as filmId", resultFingerprint.as("fingerprint"), "readings.atMs"])
    .where((film) => {
      const isOwn = film.and([
        film("watchedFilms.filmId", "=", film.ref("films.id")),
        ...(machineId === null ? [] : [film("watchedFilms.machineId", "=", machineId)]),
      ]);
      if (otherFilmsSinceMs === null) return isOwn;
      const isOther = film.and([
        film("watchedFilms.filmId", "is", null),
        film("films.addedAtMs", ">=", otherFilmsSinceMs),
        film("films.sha256", "not in", sampleHashes),
      ]);
      return film.or([isOwn, isOther]);
    })
    .where((film) =>
      film.or([
        film.and([film("films.removedAtMs", "is", null), film("films.hasImage", "=", 1)]),
        film.and([film("readings.verdict", "is not", null), film("readings.atMs", ">=", decidedSinceMs)]),
      ]),
    )
    .where("readings.version", "=", lastVersionOf("films.id"))
    .where("watchedFilms.writtenFingerprint", "is distinct from", resultFingerprint)
    .orderBy("films.addedAtMs")
    .orderBy("films.place")
    .execute();
}

/** The first workstation to write a film's result also writes later ones. */
export async function recordWritten(db: WritableDb, filmId: string, writtenFingerprint: string): Promise<void> {
  await db
    .insertInto("watchedFilms")
    .values({ filmId, machineId: engineOf(db).machineId, writtenFingerprint })
    .onConflict((known) => known.column("filmId").doUpdateSet({ writtenFingerprint }))
    .execute();
}

/** The same path on another workstation is another file. */
function keyOf(db: ReadableDb, { path, sizeBytes, changedAtMs }: ListedFile) {
  const { machineId } = engineOf(db);
  return { pathSha256: keyOn(machineId, sha256(path)), sizeBytes, changedAtMs: Math.round(changedAtMs) };
}

/** Converts the path hash of a store in a file to that of a shared store. */
function keyOn(machineId: string | null, pathSha256: string): string {
  return machineId === null ? pathSha256 : sha256(`${machineId}\n${pathSha256}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
