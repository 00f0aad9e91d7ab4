import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { threadId } from "node:worker_threads";

const ending = ".unfinished";

/** New file for an object being received. Its name contains the thread's ID, by which partial files are deleted. */
export function unfinishedFile(folder: string): string {
  return path.join(folder, `${randomUUID()}.${threadId}${ending}`);
}

export function finishedName(unfinished: string, wanted: string): string {
  return unfinished.replace(/\.\d+\.unfinished$/, wanted);
}

export function isUnfinished(fileName: string): boolean {
  return fileName.endsWith(ending);
}

/** Deletes partial objects of a thread that has ended; a file that cannot be deleted now is removed by age. */
export function discardUnfinished(folder: string, thread: number): void {
  try {
    for (const name of readdirSync(folder)) if (name.endsWith(`.${thread}${ending}`)) rmSync(path.join(folder, name));
  } catch {
    // No folder: nothing was received yet.
  }
}
