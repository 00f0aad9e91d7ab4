import { chmodSync } from "node:fs";
import { serveThread } from "../../workers/serve-thread.ts";
import type { BackupCalls } from "./backup-thread-client.ts";
import { convertFile } from "../encryption/convert-file.ts";
import { isPlainFile, openDatabaseFile } from "../encryption/database-file.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { findDamageInFile } from "../record/integrity.ts";
import { flush } from "../files/store-files.ts";
import type { Database } from "better-sqlite3";

// Runs in a thread: to check a file SQLite reads all of it, which would block the main thread.

serveThread<BackupCalls>({
  check: ({ files, key }) => files.map((file) => findDamageInFile(file, key)),
  seal: ({ files, key }) => {
    files.forEach((file) => closeForGood(file, key));
    const damages = files.map((file) => findDamageInFile(file, key));
    files.forEach(flush);
    return damages;
  },
  copy: ({ from, to, key }) => {
    const db = openDatabaseFile(from, key, { readonly: true, fileMustExist: true });
    try {
      db.prepare("VACUUM INTO ?").run(to);
    } finally {
      db.close();
    }
    return null;
  },
  convert: ({ files, key, wanted }) =>
    files.map((file) => {
      try {
        convertFile(file, isPlainFile(file) ? null : key, wanted);
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    }),
});

/** Leaves WAL mode, so that the copy is a single file, and deletes its capture sessions. */
function closeForGood(file: string, key: StoreKey | null): void {
  const copy = openDatabaseFile(file, isPlainFile(file) ? null : key);
  copy.pragma("journal_mode = DELETE");
  deleteSessions(copy);
  copy.close();
  chmodSync(file, 0o600);
}

/** Films of capture sessions must not outlive them. */
function deleteSessions(copy: Database): void {
  copy.pragma("secure_delete = ON");
  copy.pragma("foreign_keys = ON");
  copy.exec("DELETE FROM pop_sessions");
}
