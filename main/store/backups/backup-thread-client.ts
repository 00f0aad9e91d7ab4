import { Worker } from "node:worker_threads";

/** What a thread is to do with copies of the store. */
export type BackupTask = { readonly files: readonly string[]; readonly isSealing: boolean };

/** Compiled, this file lies beside backup-thread.js; run from source, beside backup-thread.ts. */
const threadFile = new URL(`./backup-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/**
 * Makes a copy of the store one file that can be opened read-only or copied away, checks it and waits until it is on
 * the disk.
 *
 * @returns the first fault in words, null for a sound copy
 * @throws SqliteError when the copy cannot be written
 */
export async function sealBackup(file: string): Promise<string | null> {
  const [damage = null] = await inThread({ files: [file], isSealing: true });
  return damage;
}

/**
 * Whether files that nobody has open are complete and sound; `findDamageInFile` for who must not wait for SQLite.
 *
 * @returns for each file the first fault in words, null for a sound one
 */
export function findDamageInFiles(files: readonly string[]): Promise<readonly (string | null)[]> {
  return files.length === 0 ? Promise.resolve([]) : inThread({ files, isSealing: false });
}

/** The thread has let go of the files when this settles. */
function inThread(task: BackupTask): Promise<readonly (string | null)[]> {
  return new Promise((resolve, reject) => {
    let settle = () => reject(new Error("the thread of the backups ended before it was done"));
    const thread = new Worker(threadFile, { workerData: task });
    thread.on("message", (damages: readonly (string | null)[]) => (settle = () => resolve(damages)));
    thread.on("error", (error) => (settle = () => reject(error)));
    thread.on("exit", () => settle());
  });
}
