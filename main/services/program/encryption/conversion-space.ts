import type { Database } from "better-sqlite3";
import { statfsSync, statSync } from "node:fs";
import { AppError, because } from "../../../../core/app-error.ts";
import { listStoreCopies } from "./convert-files.ts";

const marginBytes = 16 * 1024 * 1024;

/**
 * Checks the disk space for a conversion. Store and copies are converted sequentially, each into a second file.
 *
 * @throws AppError DISK_FULL
 */
export function assertSpaceToConvert(store: Database, dataDir: string): void {
  const pages = store.pragma("page_count", { simple: true }) as number;
  const storeBytes = pages * (store.pragma("page_size", { simple: true }) as number);
  const needed = Math.max(storeBytes, ...listStoreCopies(dataDir).map((file) => statSync(file).size)) + marginBytes;
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  if (free >= needed) return;
  const [neededMb, freeMb] = [Math.ceil(needed / 1e6), Math.floor(free / 1e6)].map(String) as [string, string];
  throw new AppError("DISK_FULL", because("conversionNeedsSpace", { neededMb, freeMb }));
}
