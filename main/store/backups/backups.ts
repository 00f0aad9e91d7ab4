import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { copyInThread, sealBackup } from "./backup-thread-client.ts";
import type { ReadableDb } from "../connection.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { keyOfCopies } from "../encryption/copy-keys.ts";
import { engineOf, sqliteFileOf } from "../engines/engine.ts";
import { findDamageInFile } from "../record/integrity.ts";
import { backupsDir, fileStamp, storeFile, timeOfStamp } from "../files/store-files.ts";
import { fileExists } from "../files/private-file.ts";

export const backupsKept = 14;

export type BackupFile = {
  readonly name: string;
  readonly path: string;
  readonly atMs: number;
  readonly sizeBytes: number;
};

const backupName = /^corvet-(\d{8}T\d{9}Z)\.db$/;

/** Backups of a data directory, newest first; unchecked. */
export function listBackups(dataDir: string): readonly BackupFile[] {
  return fileExists(backupsDir(dataDir)) ? backupsIn(backupsDir(dataDir), backupName) : [];
}

/** @param pattern  of the files' names, with their time as first group */
export function backupsIn(folder: string, pattern: RegExp): readonly BackupFile[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const [file, atMs] = [path.join(folder, name), timeOfStamp(pattern.exec(name)?.[1] ?? "")];
      // No file if it has been deleted since the folder was listed, or is a broken link.
      const stat = atMs === null ? undefined : statSync(file, { throwIfNoEntry: false });
      return atMs === null || !stat ? [] : [{ name, path: file, atMs, sizeBytes: stat.size }];
    })
    .sort((a, b) => b.atMs - a.atMs);
}

/**
 * Finds the newest backup that passes the full integrity check. One dated in the future (by a wrong clock) comes last.
 *
 * @param except  names of backups that a stricter check has refused
 */
export function findNewestGoodBackup(
  dataDir: string,
  { now = new Date(), except = new Set() }: { readonly now?: Date; readonly except?: ReadonlySet<string> } = {},
): BackupFile | null {
  const isFuture = ({ atMs }: BackupFile) => atMs > now.getTime();
  const backups = listBackups(dataDir).filter(({ name }) => !except.has(name));
  const ranked = [...backups.filter((backup) => !isFuture(backup)), ...backups.filter(isFuture)];
  const key = keyOfCopies(dataDir);
  return ranked.find((backup) => findDamageInFile(backup.path, key) === null) ?? null;
}

/**
 * Copies the live store. The copy gets its name only after it has passed the integrity check. Keeps the newest
 * `backupsKept` backups.
 *
 * @throws AppError ABORTED when stopped, BACKUP_DAMAGED when the copy does not pass its check, STORE_REPLACED when the
 *   store was overwritten; SqliteError when the copy cannot be written
 */
export async function makeBackup(db: ReadableDb, dataDir: string, at: Date, signal?: AbortSignal): Promise<BackupFile> {
  const folder = backupsDir(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `corvet-${fileStamp(at)}.db`;
  const unfinished = path.join(folder, `${name}.unfinished`);
  const throwIfAborted = () => {
    if (signal?.aborted) throw new AppError("ABORTED", "The backup was stopped and left no file");
  };
  if (engineOf(db).isOverwritten()) throw new AppError("STORE_REPLACED");
  const source = sqliteFileOf(db);
  try {
    const key = keyOfStore(dataDir);
    // The open connection can still read the store after its file was deleted or replaced.
    if (!engineOf(db).isInPlace()) source.prepare("VACUUM INTO ?").run(unfinished);
    else await copyInThread(storeFile(dataDir), unfinished, key);
    throwIfAborted();
    const damage = await sealBackup(unfinished, key);
    throwIfAborted();
    if (damage !== null)
      throw new AppError("BACKUP_DAMAGED", `The backup does not pass its integrity check: ${damage}.`);
    renameSync(unfinished, path.join(folder, name));
  } finally {
    rmSync(unfinished, { force: true });
  }
  // Backups dated in the future (the clock was corrected since) do not displace current ones.
  const upToNow = listBackups(dataDir).filter(({ atMs }) => atMs <= at.getTime());
  for (const old of upToNow.slice(backupsKept)) rmSync(old.path);
  return { name, path: path.join(folder, name), atMs: at.getTime(), sizeBytes: statSync(path.join(folder, name)).size };
}
