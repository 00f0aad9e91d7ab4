import type { Database } from "better-sqlite3";
import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { openDatabaseFile } from "../encryption/database-file.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { backupsDir, fileStamp, flush } from "../store-files.ts";
import { leaveSessionsOut } from "./leave-sessions-out.ts";

/** Name of the copy until the schema has changed: one, however often a start fails or is killed on the way. */
const waitingName = "before-migration.db";

/**
 * Changes the schema of an older program's store, of which a copy as it was is kept: what the older program goes back
 * to. It is a backup like any other: encrypted where the store is, and without capture sessions. A failure is thrown:
 * nothing is changed without a copy, and no copy stays of a change that failed. Ends before the copy is a backup (@see keepWaitingCopy).
 *
 * @param db  open, in no transaction
 */
export async function migrateBehindCopy(db: Database, dataDir: string, migrate: () => Promise<void>): Promise<void> {
  const waiting = path.join(backupsDir(dataDir), waitingName);
  copyStore(db, dataDir, waiting);
  try {
    await migrate();
  } catch (error) {
    rmSync(waiting, { force: true });
    throw error;
  }
}

/** Gives the copy of a store whose schema has changed its place among the backups; a kill may have come in between. */
export function keepWaitingCopy(dataDir: string): void {
  const waiting = path.join(backupsDir(dataDir), waitingName);
  const made = statSync(waiting, { throwIfNoEntry: false });
  if (made) renameSync(waiting, path.join(backupsDir(dataDir), `corvet-${fileStamp(made.mtime)}.db`));
}

function copyStore(db: Database, dataDir: string, file: string): void {
  mkdirSync(backupsDir(dataDir), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.unfinished`;
  // What a kill left would be in the way.
  for (const left of [unfinished, file]) rmSync(left, { force: true });
  try {
    db.prepare("VACUUM INTO ?").run(unfinished);
    chmodSync(unfinished, 0o600);
    withoutSessions(unfinished, keyOfStore(dataDir));
    flush(unfinished);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function withoutSessions(file: string, key: StoreKey | null): void {
  const copy = openDatabaseFile(file, key);
  try {
    // A journal on the disk would keep what goes.
    copy.pragma("journal_mode = MEMORY");
    if (leaveSessionsOut(copy) > 0) copy.exec("VACUUM");
  } finally {
    copy.close();
  }
}
