import Database from "better-sqlite3";
import { chmodSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { findDamageInFile } from "./integrity.ts";
import { flush } from "./store-files.ts";

// A thread of its own: SQLite reads the whole copy, and the program would answer nobody meanwhile.

if (!parentPort) throw new Error("seal-backup-thread is started as a worker thread");
const file = workerData as string;
const copy = new Database(file);
copy.pragma("journal_mode = DELETE");
copy.pragma("secure_delete = ON");
copy.exec("DELETE FROM pop_sessions");
copy.close();
chmodSync(file, 0o600);
const damage = findDamageInFile(file);
flush(file);
parentPort.postMessage(damage);
