import Database from "better-sqlite3";
import { chmodSync } from "node:fs";
import { serveThread } from "../../workers/serve-thread.ts";
import type { BackupCalls } from "./backup-thread-client.ts";
import { findDamageInFile } from "../record/integrity.ts";
import { flush } from "../store-files.ts";

// Runs in a thread: SQLite reads whole files to check them, and the program must go on answering.

serveThread<BackupCalls>({
  check: (files) => files.map(findDamageInFile),
  seal: (files) => {
    files.forEach(closeForGood);
    const damages = files.map(findDamageInFile);
    files.forEach(flush);
    return damages;
  },
});

/**
 * Out of WAL mode a copy is one file. Capture sessions under way are left out, because their films must not outlive
 * them.
 */
function closeForGood(file: string): void {
  const copy = new Database(file);
  copy.pragma("journal_mode = DELETE");
  copy.pragma("secure_delete = ON");
  copy.exec("DELETE FROM pop_sessions");
  copy.close();
  chmodSync(file, 0o600);
}
