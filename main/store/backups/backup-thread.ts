import Database from "better-sqlite3";
import { chmodSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { BackupTask } from "./backup-thread-client.ts";
import { findDamageInFile } from "../integrity.ts";
import { flush } from "../store-files.ts";

// A thread of its own: SQLite reads whole files to check them, and the program would answer nobody meanwhile.

if (!parentPort) throw new Error("backup-thread is started as a worker thread");
const { files, isSealing } = workerData as BackupTask;
if (isSealing) files.forEach(closeForGood);
const damages = files.map(findDamageInFile);
if (isSealing) files.forEach(flush);
parentPort.postMessage(damages);

/**
 * Out of WAL mode a copy is one file. Capture sessions under way stay behind: their films are not kept beyond their
 * end.
 */
function closeForGood(file: string): void {
  const copy = new Database(file);
  copy.pragma("journal_mode = DELETE");
  copy.pragma("secure_delete = ON");
  copy.exec("DELETE FROM pop_sessions");
  copy.close();
  chmodSync(file, 0o600);
}
