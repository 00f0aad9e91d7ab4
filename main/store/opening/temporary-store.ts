import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { connect } from "../engines/sqlite/connect.ts";
import { createSqliteStore } from "../engines/sqlite/sqlite-store.ts";
import { applyMigrations } from "./migrations.ts";

export type KnownRows = Awaited<ReturnType<typeof readKnownRows>>;

/** Maximum number of pages of 4 KiB: 2 GiB in all. Beyond it, opening a film fails as on a full disk. */
const maxPages = 524_288;

export async function readKnownRows(db: ReadableDb) {
  return {
    machineId: engineOf(db).machineId,
    settings: await db.selectFrom("settings").selectAll().execute(),
    people: await db.selectFrom("people").selectAll().execute(),
  };
}

/** Opens a store in memory for use while the database is unavailable: no data remains, even after a crash. */
export async function openTemporaryStore({ machineId, settings, people }: KnownRows): Promise<WritableDb> {
  const file = connect(":memory:", null);
  file.pragma(`max_page_count = ${maxPages}`);
  const db = createSqliteStore(file, machineId);
  await applyMigrations(db);
  for (const row of settings) await db.insertInto("settings").values(row).execute();
  for (const row of people) await db.insertInto("people").values(row).execute();
  return db;
}
