import { startThread, threadFile } from "../../workers/start-thread.ts";

/**
 * What a thread does with copies of the store: for each file it answers the first fault in words, null for a sound one.
 */
export type BackupCalls = {
  readonly check: { readonly request: readonly string[]; readonly answer: readonly (string | null)[] };
  readonly seal: { readonly request: readonly string[]; readonly answer: readonly (string | null)[] };
};

/**
 * Makes a copy of the store one file that can be opened read-only or copied away, checks it and waits until it is on
 * the disk.
 *
 * @returns the first fault in words, null for a sound copy
 * @throws SqliteError when the copy cannot be written
 */
export async function sealBackup(file: string): Promise<string | null> {
  const [damage = null] = await inThread("seal", [file]);
  return damage;
}

/**
 * Whether files that are not open anywhere are complete and sound; `findDamageInFile` for callers that must not wait
 * for SQLite.
 *
 * @returns for each file the first fault in words, null for a sound one
 */
export function findDamageInFiles(files: readonly string[]): Promise<readonly (string | null)[]> {
  return files.length === 0 ? Promise.resolve([]) : inThread("check", files);
}

/** The thread has let go of the files when this settles. */
async function inThread(task: keyof BackupCalls, files: readonly string[]): Promise<readonly (string | null)[]> {
  const thread = startThread<BackupCalls>(threadFile("backup-thread", import.meta.url));
  try {
    return await thread.call(task, files);
  } finally {
    await thread.close();
  }
}
