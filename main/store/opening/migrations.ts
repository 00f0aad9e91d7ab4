import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf, transaction } from "../engines/engine.ts";
import { sqliteMigrationsDir } from "../engines/sqlite/sqlite-schema.ts";

export const migrationsDir = sqliteMigrationsDir;

type Migration = { readonly name: string; readonly sql: string; readonly sha256: string };

/**
 * Runs every pending file `NNNN-<what>.sql` of the engine, by name, in one transaction.
 *
 * @throws AppError STORE_TOO_NEW if the store has a migration that this program lacks or has with other content
 */
export async function applyMigrations(db: WritableDb, folder = engineOf(db).schema.migrationsDir): Promise<void> {
  const migrations = readMigrations(folder);
  const { schema } = engineOf(db);
  await transaction(db, async () => {
    await schema.run(schema.migrationsTable);
    const applied = await readApplied(db, migrations);
    for (const { name, sha256, sql } of migrations.filter((migration) => !applied.has(migration.name))) {
      await schema.run(sql);
      await db.insertInto("migrations").values({ name, sha256, appliedAtMs: Date.now() }).execute();
    }
  });
}

/** @throws AppError STORE_TOO_NEW as `applyMigrations` */
export async function isUpToDate(db: ReadableDb): Promise<boolean> {
  const migrations = readMigrations(engineOf(db).schema.migrationsDir);
  if (!(await engineOf(db).hasTable("migrations"))) return false;
  return (await readApplied(db, migrations)).size === migrations.length;
}

/** [UTC ms]. */
export async function storeCreatedMs(db: ReadableDb): Promise<number> {
  const first = db.selectFrom("migrations").select(({ fn }) => fn.min("appliedAtMs").as("atMs"));
  return (await first.executeTakeFirstOrThrow()).atMs;
}

export async function listNewerMigrations(db: ReadableDb): Promise<readonly string[]> {
  const applied = await db.selectFrom("migrations").select("name").execute();
  const own = new Set(readMigrations(engineOf(db).schema.migrationsDir).map(({ name }) => name));
  return applied.map(({ name }) => name).filter((name) => !own.has(name));
}

/** @throws AppError STORE_TOO_NEW */
async function readApplied(db: ReadableDb, migrations: readonly Migration[]): Promise<ReadonlySet<string>> {
  const applied = await db.selectFrom("migrations").select(["name", "sha256"]).execute();
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]));
  const unknown = applied.find(({ name, sha256 }) => known.get(name) !== sha256);
  if (unknown)
    throw new AppError(
      "STORE_TOO_NEW",
      `The store was made by another version of Corvet (migration ${unknown.name}). Use that version or a newer one.`,
    );
  return new Set(applied.map(({ name }) => name));
}

function readMigrations(folder: string): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name));
  if (names.length === 0) throw new Error(`no migrations in ${folder}`);
  return names.sort().map((name) => {
    // Ignore line endings, which a checkout may have changed.
    const sql = readFileSync(path.join(folder, name), "utf8").replaceAll("\r\n", "\n");
    return { name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
  });
}
