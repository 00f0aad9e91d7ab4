import { chmodSync, copyFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { findDamageInFile } from "../record/integrity.ts";
import { flush, flushFolder } from "../files/store-files.ts";
import { openDatabaseFile, rekeyFile } from "./database-file.ts";
import type { StoreKey } from "./store-key.ts";
import { fileExists } from "../files/private-file.ts";

/**
 * Encrypts or decrypts a database file that no program has open, by replacing it by a complete, checked file.
 *
 * @param from  null for plain
 * @param to    null for plain
 * @throws SqliteError, Error when the file is damaged; it stays unchanged
 */
export function convertFile(file: string, from: StoreKey | null, to: StoreKey | null): void {
  if (from === to) return;
  // A store that was set aside may have a write-ahead log, which would not fit the new file.
  if (fileExists(`${file}-wal`)) {
    const db = openDatabaseFile(file, from);
    db.pragma("journal_mode = DELETE");
    db.close();
  }
  const unfinished = `${file}.unfinished`;
  try {
    copyFileSync(file, unfinished);
    convertCopy(unfinished, from, to);
    renameSync(unfinished, file);
    flushFolder(path.dirname(file));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Converts a copy in place and flushes it to disk. @throws Error if it is damaged */
export function convertCopy(copy: string, from: StoreKey | null, to: StoreKey | null): void {
  chmodSync(copy, 0o600);
  rekeyFile(copy, from, to);
  const damage = findDamageInFile(copy, to);
  if (damage !== null) throw new Error(damage);
  flush(copy);
}
