import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { comparedIdentifier } from "../../core/identifiers.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";
import { sealEverything } from "./record/value-seals.ts";

/** Folder of the migrations that belong to this program. */
export const migrationsDir = path.join(import.meta.dirname, "migrations");

type Migration = { readonly number: number; readonly name: string; readonly sql: string; readonly sha256: string };

const appliedSchema = z.object({ name: z.string(), sha256: z.string() });

/**
 * Brings the schema up to date in one transaction: every file `NNNN-<what>.sql` that has not run yet, by number.
 * Numbers may have gaps, and a file may fill a gap later. `user_version` is the highest number that has run.
 *
 * @throws AppError STORE_TOO_NEW when the store has seen a migration that this program does not have, or has
 * differently
 */
export function applyMigrations(db: WritableDb, folder = migrationsDir): void {
  const migrations = readMigrations(folder);
  lendFunctions(db);
  const apply = db.transaction(() => {
    db.exec(
      "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT",
    );
    const applied = z.array(appliedSchema).parse(db.prepare("SELECT name, sha256 FROM migrations").all());
    assertKnown(applied, migrations);
    const done = new Set(applied.map(({ name }) => name));
    const record = db.prepare(
      "INSERT INTO migrations (name, sha256, applied_at_ms) VALUES (:name, :sha256, :appliedAtMs)",
    );
    for (const { name, sha256, sql } of migrations.filter((migration) => !done.has(migration.name))) {
      db.exec(sql);
      completions[name]?.(db);
      record.run({ name, sha256, appliedAtMs: Date.now() });
    }
    db.pragma(`user_version = ${migrations.at(-1)?.number ?? 0}`);
  });
  apply.immediate();
}

/** Whether this program would change the schema of a store that an older one has made. */
export function isOfOlderProgram(db: ReadableDb, folder = migrationsDir): boolean {
  const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  if (hasTable === undefined) return false;
  const names = z.array(z.string()).parse(db.prepare("SELECT name FROM migrations").pluck().all());
  const done = new Set(names);
  return done.size > 0 && readMigrations(folder).some(({ name }) => !done.has(name));
}

/** What a migration needs beyond SQL, done right behind it. */
const completions: Readonly<Record<string, (db: WritableDb) => void>> = { "0330-value-seals.sql": sealEverything };

/** Functions that migrations may use beside those of SQLite. */
function lendFunctions(db: WritableDb): void {
  db.function("nfc", { deterministic: true }, (text: unknown) =>
    typeof text === "string" ? comparedIdentifier(text) : text,
  );
}

function readMigrations(folder: string): readonly Migration[] {
  const migrations = readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .map((name) => {
      // A checkout may have given the file other line ends; the migration is the same.
      const sql = readFileSync(path.join(folder, name), "utf8").replaceAll("\r\n", "\n");
      return { number: Number(name.slice(0, 4)), name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    })
    .sort((a, b) => a.number - b.number);
  const numbers = new Set(migrations.map(({ number }) => number));
  if (migrations.length === 0 || numbers.size < migrations.length)
    throw new Error(`migrations missing or numbered twice in ${folder}`);
  return migrations;
}

function assertKnown(applied: readonly z.infer<typeof appliedSchema>[], migrations: readonly Migration[]): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]));
  const stranger = applied.find(({ name, sha256 }) => known.get(name) !== sha256);
  if (stranger)
    throw new AppError(
      "STORE_TOO_NEW",
      `The store was made by another version of Corvet (migration ${stranger.name}). Use that version or a newer one.`,
    );
}
