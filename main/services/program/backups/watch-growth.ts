import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { BackupProgress } from "../../../../core/contract/desktop/practice/backups.ts";

/** Interval of size checks [ms]. */
const everyMs = 250;

/** `totalBytes`: estimated size of the copy. */
type Growing = { readonly folder: string; readonly totalBytes: number; readonly place: BackupProgress["place"] };

/**
 * Reports the progress of a copy by its file size, since SQLite and encrypting streams report none.
 *
 * @returns a function that stops the reports
 */
export function watchGrowth(
  { folder, totalBytes, place }: Growing,
  onProgress: (progress: BackupProgress) => void,
): () => void {
  let isEnded = false;
  const look = async () => {
    const bytes = await unfinishedBytes(folder);
    if (!isEnded && bytes !== null) onProgress({ copiedBytes: Math.min(bytes, totalBytes), totalBytes, place });
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => {
    isEnded = true;
    clearInterval(timer);
  };
}

export async function bytesOfFolder(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder).catch(() => [])) bytes += await bytesOf(path.join(folder, name));
  return bytes;
}

async function unfinishedBytes(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => name.endsWith(".unfinished"))
    .sort()
    .at(-1);
  return newest === undefined ? null : bytesOf(path.join(folder, newest));
}

async function bytesOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
