import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";
import { engineOf, transaction } from "./engines/engine.ts";
import { sqliteMigrationsDir } from "./engines/sqlite/sqlite-schema.ts";
import { sealEverything } from "./record/value-seals.ts";

/** Folder of the migrations of a store in a file. */
export const migrationsDir = sqliteMigrationsDir;

type Migration = { readonly number: number; readonly name: string; readonly sql: string; readonly sha256: string };

/**
 * Brings the schema up to date in one transaction: every file `NNNN-<what>.sql` of the engine that has not run yet, by
 * number. Numbers may have gaps, and a file may fill a gap later.
 *
 * @throws AppError STORE_TOO_NEW when the store has seen a migration that this program does not have, or has
 * differently
 */
export async function applyMigrations(db: WritableDb, folder = engineOf(db).schema.migrationsDir): Promise<void> {
  const migrations = readMigrations(folder);
  const { schema } = engineOf(db);
  await transaction(db, async () => {
    await schema.prepare();
    const applied = await db.selectFrom("migrations").select(["name", "sha256"]).execute();
    assertKnown(applied, migrations);
    const done = new Set(applied.map(({ name }) => name));
    for (const { name, sha256, sql } of migrations.filter((migration) => !done.has(migration.name))) {
      await schema.run(sql);
      await completions[name]?.(db);
      await db.insertInto("migrations").values({ name, sha256, appliedAtMs: Date.now() }).execute();
    }
    await schema.noteVersion(migrations.at(-1)?.number ?? 0);
  });
}

/**
 * Whether this program would change the schema of a store that an older one has made.
 *
 * @throws AppError STORE_TOO_NEW as `applyMigrations`
 */
export async function isOfOlderProgram(db: ReadableDb): Promise<boolean> {
  const { applied, known } = await migrationsOf(db);
  return applied > 0 && applied < known;
}

/**
 * Whether every migration of this program has run.
 *
 * @throws AppError STORE_TOO_NEW as `applyMigrations`
 */
export async function isUpToDate(db: ReadableDb): Promise<boolean> {
  const { applied, known } = await migrationsOf(db);
  return applied === known;
}

/** Migrations that a newer program has run on a store, by name. */
export async function listNewerMigrations(db: ReadableDb): Promise<readonly string[]> {
  const applied = await db.selectFrom("migrations").select("name").execute();
  const own = new Set(readMigrations(engineOf(db).schema.migrationsDir).map(({ name }) => name));
  return applied.map(({ name }) => name).filter((name) => !own.has(name));
}

/** How many of this program's migrations a store has seen. */
async function migrationsOf(db: ReadableDb): Promise<{ readonly applied: number; readonly known: number }> {
  const migrations = readMigrations(engineOf(db).schema.migrationsDir);
  if (!(await engineOf(db).hasTable("migrations"))) return { applied: 0, known: migrations.length };
  const applied = await db.selectFrom("migrations").select(["name", "sha256"]).execute();
  assertKnown(applied, migrations);
  return { applied: applied.length, known: migrations.length };
}

/** What a migration needs beyond SQL, done right behind it. */
const completions: Readonly<Record<string, (db: WritableDb) => Promise<void>>> = {
  "0330-value-seals.sql": sealEverything,
};

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

function assertKnown(applied: readonly Pick<Migration, "name" | "sha256">[], migrations: readonly Migration[]): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]));
  const stranger = applied.find(({ name, sha256 }) => known.get(name) !== sha256);
  if (stranger)
    throw new AppError(
      "STORE_TOO_NEW",
      `The store was made by another version of Corvet (migration ${stranger.name}). Use that version or a newer one.`,
    );
}
