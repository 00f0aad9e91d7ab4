import { closeSync, fsyncSync, openSync, readdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { fileExists } from "./private-file.ts";

const storeName = "corvet.db";
const setAside = /^corvet\.db\.(?:damaged|replaced)-(\w+)$/;
/** A store set aside, its write-ahead log alone if the store was missing, or the anchor of its record. */
const anyAside = /^(?:corvet\.db|record-head)\.(?:damaged|replaced)-(\w+)/;
const foreignLog = /^corvet\.db\.foreign-\w+-wal$/;
const stamp = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;

export function storeFile(dataDir: string): string {
  return path.join(dataDir, storeName);
}

export function filmsDir(dataDir: string): string {
  return path.join(dataDir, "films");
}

export function backupsDir(dataDir: string): string {
  return path.join(dataDir, "backups");
}

/** Derived from the passphrase, encrypts backups in the user's folder. */
export function backupKeyFile(dataDir: string): string {
  return path.join(dataDir, "backup.key");
}

/** Folder of received objects until they are on the worklist. */
export function receivedDir(dataDir: string): string {
  return path.join(dataDir, "dicom-received");
}

export function notOpenedDir(dataDir: string): string {
  return path.join(receivedDir(dataDir), "not-opened");
}

export function scheduledRestoreFile(dataDir: string): string {
  return path.join(dataDir, `${storeName}.restore-at-start`);
}

/** Time in file names: UTC, sortable, to the millisecond, without colons. */
export function fileStamp(at: Date): string {
  return at.toISOString().replaceAll(/[-:.]/g, "");
}

/** UTC [ms]; null for any other text. @see fileStamp */
export function timeOfStamp(text: string): number | null {
  const parts = stamp.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second, ms] = parts.slice(1).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second, ms);
}

/** Time at which a store was last replaced, found damaged or declared missing [UTC ms]; 0 for never. */
export function lastSetAsideMs(dataDir: string): number {
  const stamps = readdirSync(dataDir).map((name) => anyAside.exec(name)?.[1] ?? "");
  return Math.max(0, ...stamps.map((text) => timeOfStamp(text) ?? 0));
}

/**
 * Time until which films may belong to a store that was set aside [UTC ms]; 0 for never. Includes the file's time of
 * change, in case the clock was behind.
 */
export function setAsideFilmsUntilMs(dataDir: string): number {
  const asides = readdirSync(dataDir).filter((name) => anyAside.test(name) || foreignLog.test(name));
  const changes = asides.map((name) => statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(lastSetAsideMs(dataDir), ...changes);
}

/**
 * Renames the database with its write-ahead log, even if only that exists: SQLite would apply it to the next database.
 *
 * @returns path of the database set aside, null if it is missing
 */
export function setAsideStore(dataDir: string, why: "damaged" | "replaced", at: Date): string | null {
  const file = storeFile(dataDir);
  const aside = `${file}.${why}-${fileStamp(at)}`;
  const present = ["", "-wal", "-shm"].filter((suffix) => fileExists(file + suffix));
  for (const suffix of present) renameSync(file + suffix, aside + suffix);
  return present.includes("") ? aside : null;
}

/** The log is checked first: a new database is created before its log. */
export function isLogAlone(dataDir: string): boolean {
  return fileExists(`${storeFile(dataDir)}-wal`) && !fileExists(storeFile(dataDir));
}

export function hasFilms(dataDir: string): boolean {
  const folder = filmsDir(dataDir);
  return fileExists(folder) && readdirSync(folder).some((name) => /^[0-9a-f]{64}$/.test(name));
}

/** @see recordLogOwner */
export function logNoteFile(dataDir: string): string {
  return path.join(dataDir, "store-log");
}

/** Without the suffix `-wal`. */
export function foreignLogFile(dataDir: string, stamp: string): string {
  return `${storeFile(dataDir)}.foreign-${stamp}`;
}

/** Oldest first. */
export function listForeignLogs(dataDir: string): readonly string[] {
  return readdirSync(dataDir)
    .filter((name) => foreignLog.test(name))
    .sort();
}

/** Head of the record, which reveals the loss of the last rows. */
export function anchorFile(dataDir: string): string {
  return path.join(dataDir, "record-head");
}

/** With the anchor of a replaced store, rows of the new one would be reported as lost. */
export function setAsideAnchor(dataDir: string, why: "replaced", at: Date): void {
  const file = anchorFile(dataDir);
  if (fileExists(file)) renameSync(file, `${file}.${why}-${fileStamp(at)}`);
}

/** Newest first. */
export function listDamagedFiles(dataDir: string): readonly string[] {
  return fileExists(dataDir) ? listSetAside(dataDir).filter((name) => name.includes(".damaged-")) : [];
}

/** Stores that were set aside, newest first, then logs of other files. */
export function listSetAside(dataDir: string): readonly string[] {
  const time = (name: string) => setAside.exec(name)?.[1];
  const stores = readdirSync(dataDir)
    .filter((name) => time(name) !== undefined)
    .sort((one, other) => (String(time(one)) < String(time(other)) ? 1 : -1));
  return [...stores, ...listForeignLogs(dataDir)];
}

export function flush(file: string): void {
  const handle = openSync(file, "r+");
  fsyncSync(handle);
  closeSync(handle);
}

/** Does nothing where the system does not support it. */
export function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
