import { createHash } from "node:crypto";
import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";

/** What became of a file of a watched folder. */
export type WatchedOutcome = "opened" | "failed" | "passed-over";
/** A file as a folder lists it. */
export type ListedFile = { readonly path: string; readonly sizeBytes: number; readonly changedAtMs: number };

const outcome = z.enum(["opened", "failed", "passed-over"]);

/** What became of a file, as long as it is the same by path, size and time of change; null for one that is new. */
export function watchedOutcome(db: ReadableDb, file: ListedFile): WatchedOutcome | null {
  const found = db
    .prepare(
      "SELECT outcome FROM watched_files WHERE path_sha256 = :pathSha256 AND size_bytes = :sizeBytes AND changed_at_ms = :changedAtMs",
    )
    .pluck()
    .get(keyOf(file));
  return found === undefined ? null : outcome.parse(found);
}

/** Keeps what became of a file and which films came out of it, in one transaction. */
export function keepWatched(
  db: WritableDb,
  file: ListedFile,
  { outcome: what, filmIds, atMs }: { outcome: WatchedOutcome; filmIds: readonly string[]; atMs: number },
): void {
  const keep = db.transaction(() => {
    db.prepare(
      `INSERT INTO watched_files (path_sha256, size_bytes, changed_at_ms, outcome, at_ms)
       VALUES (:pathSha256, :sizeBytes, :changedAtMs, :what, :atMs)
       ON CONFLICT (path_sha256) DO UPDATE SET size_bytes = excluded.size_bytes, changed_at_ms = excluded.changed_at_ms,
         outcome = excluded.outcome, at_ms = excluded.at_ms`,
    ).run({ ...keyOf(file), what, atMs });
    for (const filmId of filmIds)
      db.prepare("INSERT INTO watched_films (film_id) VALUES (?) ON CONFLICT (film_id) DO NOTHING").run(filmId);
  });
  keep.immediate();
}

const due = z.array(z.object({ filmId: z.string(), readingId: z.string() }));

/** Films of watched folders whose reading that counts is not in the outbox. */
export function filmsForOutbox(db: ReadableDb): readonly z.infer<typeof due>[number][] {
  return due.parse(
    db
      .prepare(
        `SELECT watched_films.film_id AS filmId, readings.id AS readingId
         FROM watched_films
         JOIN films ON films.id = watched_films.film_id AND films.removed_at_ms IS NULL AND films.has_image = 1
         JOIN readings ON readings.film_id = watched_films.film_id
         WHERE readings.version = (SELECT max(version) FROM readings AS others WHERE others.film_id = watched_films.film_id)
           AND watched_films.written_reading_id IS NOT readings.id
         ORDER BY films.added_at_ms`,
      )
      .all(),
  );
}

/** Notes that a reading is in the outbox. */
export function noteWritten(db: WritableDb, filmId: string, readingId: string): void {
  db.prepare("UPDATE watched_films SET written_reading_id = :readingId WHERE film_id = :filmId").run({
    filmId,
    readingId,
  });
}

function keyOf({ path, sizeBytes, changedAtMs }: ListedFile) {
  return {
    pathSha256: createHash("sha256").update(path).digest("hex"),
    sizeBytes,
    changedAtMs: Math.round(changedAtMs),
  };
}
