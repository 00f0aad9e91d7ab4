import { CompiledQuery } from "kysely";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { WritableDb } from "../../connection.ts";
import type { EngineSchema } from "../engine.ts";

const migrationsDir = path.join(import.meta.dirname, "..", "..", "migrations", "postgres");
/** Not a migration: rights are granted after every migration, to cover new tables. */
const rightsFile = path.join(migrationsDir, "rights.sql");

export function postgresSchema(db: WritableDb): EngineSchema {
  return {
    migrationsDir,
    migrationsTable: `CREATE TABLE IF NOT EXISTS migrations (
      name text COLLATE "C" PRIMARY KEY, sha256 text COLLATE "C" NOT NULL, applied_at_ms bigint NOT NULL)`,
    run: (statements) => runStatements(db, statements),
  };
}

/** Grants the role `corvet`, if it exists and is not the owner, only the rights that the program needs. */
export async function grantRights(db: WritableDb): Promise<void> {
  await runStatements(db, readFileSync(rightsFile, "utf8"));
}

async function runStatements(db: WritableDb, statements: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(statements));
}
