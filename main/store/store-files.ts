import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync } from "node:fs";
import path from "node:path";

const storeName = "corvet.db";

/** The database file of a data directory. */
export function storeFile(dataDir: string): string {
  return path.join(dataDir, storeName);
}

/** Folder of a data directory's backups. */
export function backupsDir(dataDir: string): string {
  return path.join(dataDir, "backups");
}

/** A backup that the next start is to put in the place of the store. */
export function scheduledRestoreFile(dataDir: string): string {
  return path.join(dataDir, `${storeName}.restore-at-start`);
}

/** A moment as it stands in file names: UTC, sortable, to the millisecond, without colons. */
export function fileStamp(at: Date): string {
  return at.toISOString().replaceAll(/[-:.]/g, "");
}

/**
 * Renames the database with its write-ahead log, so that the two stay a pair.
 *
 * @param why  `damaged` or `replaced`; becomes part of the name
 * @returns    path of the file set aside
 */
export function setStoreAside(dataDir: string, why: "damaged" | "replaced", at: Date): string {
  const file = storeFile(dataDir);
  const aside = `${file}.${why}-${fileStamp(at)}`;
  for (const suffix of ["-wal", "-shm", ""]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return aside;
}

/** The note of the record's head outside of the store: where the record's last rows are known too. */
export function anchorFile(dataDir: string): string {
  return path.join(dataDir, "record-head");
}

/** Takes the note of a store away that another one takes the place of: it would find the other's rows lost. */
export function setAnchorAside(dataDir: string, why: "replaced", at: Date): void {
  const file = anchorFile(dataDir);
  if (existsSync(file)) renameSync(file, `${file}.${why}-${fileStamp(at)}`);
}

/** Names of damaged databases that were set aside, newest first. */
export function listDamagedFiles(dataDir: string): readonly string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(`${storeName}.damaged-`) && !/-(wal|shm)$/.test(name))
    .sort()
    .reverse();
}

/** Waits until a file's content is on the disk. */
export function flush(file: string): void {
  const handle = openSync(file, "r+");
  fsyncSync(handle);
  closeSync(handle);
}
