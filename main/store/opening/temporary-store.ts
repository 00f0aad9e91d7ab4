import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { connect } from "../engines/sqlite/connect.ts";
import { createSqliteStore } from "../engines/sqlite/sqlite-store.ts";
import { applyMigrations } from "./migrations.ts";
import type { Tables } from "../tables.ts";

/** Initial rows of a temporary store: settings, and the users who may sign in. */
export type KnownRows = {
  readonly machineId: string | null;
  readonly settings: readonly Selectable<Tables["settings"]>[];
  readonly people: readonly Selectable<Tables["people"]>[];
};

/** 4 KiB each, 2 GiB in all. Beyond it opening a film fails as on a full disk. */
const mostPages = 524_288;

export async function readKnownRows(db: ReadableDb): Promise<KnownRows> {
  return {
    machineId: engineOf(db).machineId,
    settings: await db.selectFrom("settings").selectAll().execute(),
    people: await db.selectFrom("people").selectAll().execute(),
  };
}

/**
 * Opens a store in memory for the time in which the practice's database is away; `destroy` drops it.
 *
 * Films are opened, measured and printed by the usual queries, and nothing outlives the outage, not even a crash: there
 * is no file that would have to be deleted.
 */
export async function openTemporaryStore({ machineId, settings, people }: KnownRows): Promise<WritableDb> {
  const file = connect(":memory:", null);
  file.pragma(`max_page_count = ${mostPages}`);
  const db = createSqliteStore(file, machineId);
  await applyMigrations(db);
  for (const row of settings) await db.insertInto("settings").values(row).execute();
  for (const row of people) await db.insertInto("people").values(row).execute();
  return db;
}
