import Database from "better-sqlite3";
import { createRequire } from "node:module";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { StoreKey } from "./store-key.ts";

const plainBeginning = Buffer.from("SQLite format 3\0");
const require = createRequire(import.meta.url);

type Options = { readonly readonly?: boolean; readonly fileMustExist?: boolean; readonly timeout?: number };

/**
 * Opens a database file; an encrypted one with a second driver, which is loaded on demand.
 *
 * @throws SqliteError SQLITE_NOTADB at the first statement with a wrong key
 */
export function openDatabaseFile(file: string, key: StoreKey | null, options: Options = {}): Database.Database {
  const db = key === null ? new Database(file, options) : openForKeys(file, options);
  try {
    if (key !== null) setKey(db, key);
    // Keep temporary tables in memory: on disk, sorted rows and savepoints would be plain text, and each charge would
    // write 120 KB.
    db.pragma("temp_store = MEMORY");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openForKeys(file: string, options: Options = {}): Database.Database {
  const Ciphers = require("better-sqlite3-multiple-ciphers") as typeof Database;
  return new Ciphers(file, options);
}

/** The file must have no other open connections; `to` null decrypts it. */
export function rekeyFile(file: string, from: StoreKey | null, to: StoreKey | null): void {
  const db = openForKeys(file);
  try {
    if (from !== null) setKey(db, from);
    // The rollback journal contains the previous pages, possibly plain text, so it must not be written to disk.
    db.pragma("journal_mode = MEMORY");
    if (from === null) db.pragma(cipher);
    passKey(db, "rekey", to);
  } finally {
    db.close();
  }
}

/** Whether a database file has the plain SQLite header; an encrypted one begins with random bytes. */
export function isPlainFile(file: string): boolean {
  return beginningOf(file, plainBeginning.length).equals(plainBeginning);
}

/** SQLite's default, which every store uses, encrypted or not. */
const pageBytes = 4096;
/** More zeros in a row than random bytes contain. */
const zeros = Buffer.alloc(16);
const emptyPage = Buffer.alloc(pageBytes);

/**
 * Whether a file without an SQLite header may be an encrypted database: it has whole pages, and none of the first 1024
 * contains free space, which is filled with zeros in a plain one. A page that a power cut has emptied does not count.
 */
export function mayBeEncrypted(file: string): boolean {
  const { size } = statSync(file);
  if (size === 0 || size % pageBytes !== 0) return false;
  const pages = beginningOf(file, Math.min(size, 1024 * pageBytes));
  return Array.from({ length: pages.length / pageBytes }, (_, index) =>
    pages.subarray(index * pageBytes, (index + 1) * pageBytes),
  ).every((page) => !page.includes(zeros) || page.equals(emptyPage));
}

function beginningOf(file: string, bytes: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const beginning = Buffer.alloc(bytes);
    readSync(handle, beginning, 0, bytes, 0);
    return beginning;
  } finally {
    closeSync(handle);
  }
}

/** ChaCha20-Poly1305 authenticates each page, so that changed bytes are detected. */
const cipher = "cipher = 'chacha20'";

function setKey(db: Database.Database, key: StoreKey): void {
  db.pragma(cipher);
  passKey(db, "key", key);
}

/** Passes the raw key: it is random, so no key derivation is needed. */
function passKey(db: Database.Database, how: "key" | "rekey", key: StoreKey | null): void {
  const driver = db as Database.Database & Record<"key" | "rekey", (key: Buffer) => unknown>;
  driver[how](Buffer.from(key === null ? "" : `raw:${key}`));
}
