import type { ReadableDb, WritableDb } from "../connection.ts";
import { openDatabaseFile } from "../encryption/database-file.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { engineOf, transaction } from "../engines/engine.ts";
import { createSqliteStore } from "../engines/sqlite/sqlite-store.ts";
import { copyWatchedFiles } from "../films/watched-files.ts";
import { copyMachineSettings, machineKey } from "../settings.ts";
import { findDamage } from "../record/integrity.ts";
import { storeFile } from "../files/store-files.ts";
import { fileExists } from "../files/private-file.ts";

/**
 * Copies this workstation's data from its own store into a database that it joins: settings, processed files of its
 * watched folders, and the films whose results it writes. Does nothing if the database already has this workstation, or
 * if the own store is damaged.
 *
 * @throws an error if the file is temporarily unreadable, since a later start would not copy it; AppError STORE_LOCKED
 */
export async function copyWorkstationData(db: WritableDb, dataDir: string): Promise<void> {
  const { machineId } = engineOf(db);
  if (machineId === null || !fileExists(storeFile(dataDir)) || (await isKnown(db, machineId))) return;
  const file = openDatabaseFile(storeFile(dataDir), keyOfStore(dataDir), { readonly: true, fileMustExist: true });
  try {
    if (findDamage(file, "quick") !== null) return;
    const source = createSqliteStore(file);
    await transaction(db, async () => {
      await copyMachineSettings(source, db);
      await copyWatchedFiles(source, db);
      await takeWatchedFilms(source, db, machineId);
    });
  } finally {
    file.close();
  }
}

async function isKnown(db: ReadableDb, machineId: string): Promise<boolean> {
  const machine = db.selectFrom("machines").select("id").where("id", "=", machineId);
  const setting = db.selectFrom("settings").select("key").where("key", "like", machineKey("%", machineId));
  return (await machine.executeTakeFirst()) !== undefined || (await setting.executeTakeFirst()) !== undefined;
}

async function takeWatchedFilms(source: ReadableDb, db: WritableDb, machineId: string): Promise<void> {
  let last = "";
  for (;;) {
    const watched = source.selectFrom("watchedFilms").select("filmId").where("filmId", ">", last).orderBy("filmId");
    const filmIds = (await watched.limit(pageRows).execute()).map(({ filmId }) => filmId);
    if (filmIds.length === 0) return;
    last = filmIds.at(-1) ?? last;
    const unassigned = db.updateTable("watchedFilms").set({ machineId }).where("machineId", "is", null);
    await unassigned.where("filmId", "in", filmIds).execute();
  }
}

/** Rows per statement: well below PostgreSQL's limit of parameters. */
const pageRows = 1000;
