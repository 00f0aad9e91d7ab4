import { Worker } from "node:worker_threads";

/** Compiled, this file lies beside seal-backup-thread.js; run from source, beside seal-backup-thread.ts. */
const threadFile = new URL(`./seal-backup-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/**
 * Makes a copy of the store one file that can be opened read-only or copied away, checks it and waits until it is on the disk, all in
 * a thread. Capture sessions under way stay behind: their films are not kept beyond their end.
 *
 * @returns the first fault in words, null for a sound copy; the thread has let go of the file then
 * @throws SqliteError when the copy cannot be written
 */
export function sealBackup(file: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let settle = () => reject(new Error("the thread that seals a backup ended before it was done"));
    const thread = new Worker(threadFile, { workerData: file });
    thread.on("message", (damage: string | null) => (settle = () => resolve(damage)));
    thread.on("error", (error) => (settle = () => reject(error)));
    thread.on("exit", () => settle());
  });
}
