import type { Database } from "better-sqlite3";
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { openDatabaseFile } from "../encryption/database-file.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { backupsDir, fileStamp } from "../store-files.ts";
import { leaveSessionsOut } from "./leave-sessions-out.ts";

/**
 * Copies a store as it is, before a newer program changes its schema: what the older program goes back to. It is a
 * backup like any other: encrypted where the store is, and without capture sessions. A failure is thrown, so that nothing is changed without a copy.
 *
 * @param db  open, in no transaction
 * @returns   path of the copy
 */
export function backUpBeforeMigration(db: Database, dataDir: string, at: Date): string {
  const folder = backupsDir(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `corvet-${fileStamp(at)}.db`);
  const unfinished = `${file}.unfinished`;
  try {
    db.prepare("VACUUM INTO ?").run(unfinished);
    chmodSync(unfinished, 0o600);
    withoutSessions(unfinished, keyOfStore(dataDir));
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return file;
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
