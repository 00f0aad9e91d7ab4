import { startThread, threadFile } from "../../workers/start-thread.ts";
import type { StoreKey } from "../encryption/store-key.ts";

type Files = { readonly files: readonly string[]; readonly key: StoreKey | null };
type Faults = readonly (string | null)[];

/** `Faults`: first fault of each file, null for a sound one; `key` opens encrypted files. */
export type BackupCalls = {
  readonly check: { readonly request: Files; readonly answer: Faults };
  readonly seal: { readonly request: Files; readonly answer: Faults };
  readonly copy: {
    readonly request: { readonly from: string; readonly to: string; readonly key: StoreKey | null };
    readonly answer: null;
  };
  readonly convert: { readonly request: Files & { readonly wanted: StoreKey | null }; readonly answer: Faults };
};

/**
 * Turns a copy into a single file that can be moved, checks it and flushes it to disk.
 *
 * @returns the first fault, null for a sound copy
 */
export async function sealBackup(file: string, key: StoreKey | null): Promise<string | null> {
  const [damage = null] = await inThread("seal", { files: [file], key });
  return damage;
}

/** Checks files that no program has open, without blocking the calling thread. */
export function findDamageInFiles(files: readonly string[], key: StoreKey | null): Promise<Faults> {
  return files.length === 0 ? Promise.resolve([]) : inThread("check", { files, key });
}

export async function copyInThread(from: string, to: string, key: StoreKey | null): Promise<void> {
  await inThread("copy", { from, to, key });
}

/**
 * Encrypts or decrypts copies of the store, replacing each by a complete file.
 *
 * @param wanted  null for plain
 * @returns       reason for each file that stayed unchanged, null for a converted one
 */
export function convertCopies(
  files: readonly string[],
  key: StoreKey | null,
  wanted: StoreKey | null,
): Promise<Faults> {
  return files.length === 0 ? Promise.resolve([]) : inThread("convert", { files, key, wanted });
}

/** Settles after the thread has closed the files. */
async function inThread<Task extends keyof BackupCalls>(
  task: Task,
  request: BackupCalls[Task]["request"],
): Promise<BackupCalls[Task]["answer"]> {
  const thread = startThread<BackupCalls>(threadFile("backup-thread", import.meta.url));
  try {
    return await thread.call(task, request);
  } finally {
    await thread.close();
  }
}
