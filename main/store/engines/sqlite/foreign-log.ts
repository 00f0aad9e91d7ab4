import { closeSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
import { AppError } from "../../../../core/app-error.ts";
import { fileStamp, foreignLogFile, logNoteFile, storeFile } from "../../files/store-files.ts";
import { assertReadable, fileExists } from "../../files/private-file.ts";

/** Records the owner of the write-ahead log, since SQLite would apply a killed program's log to any file. */
export function recordLogOwner(dataDir: string): void {
  try {
    const pair = `${birthOf(storeFile(dataDir))}\n${birthOf(`${storeFile(dataDir)}-wal`)}\n`;
    if (pair !== readNote(dataDir)) writeFileSync(logNoteFile(dataDir), pair, { mode: 0o600 });
  } catch {
    // A full disk must not prevent the start. Without the note the header of the file decides.
  }
}

/** For an overwritten store: the log belongs to no file. */
export function markLogAsForeign(dataDir: string): void {
  writeFileSync(logNoteFile(dataDir), `overwritten\n${birthOf(`${storeFile(dataDir)}-wal`)}\n`, { mode: 0o600 });
}

/**
 * Separates a file that replaced the store from the write-ahead log of the former one. Call before SQLite opens it.
 *
 * @throws AppError STORE_REPLACED if the log belongs to another file and `setAside` is false
 */
export function separateForeignLog(dataDir: string, at: Date, { setAside }: { readonly setAside: boolean }): void {
  if (!isLogForeign(dataDir)) return;
  if (!setAside)
    throw new AppError(
      "STORE_REPLACED",
      `The write-ahead log in ${dataDir} belongs to another file than the present corvet.db. ` +
        "Start Corvet: it sets the log aside.",
    );
  const file = storeFile(dataDir);
  const aside = foreignLogFile(dataDir, fileStamp(at));
  renameSync(`${file}-wal`, `${aside}-wal`);
  if (fileExists(`${file}-shm`)) renameSync(`${file}-shm`, `${aside}-shm`);
}

function isLogForeign(dataDir: string): boolean {
  const [file, log] = [storeFile(dataDir), `${storeFile(dataDir)}-wal`];
  const isToApply = fileExists(file) && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isToApply) return false;
  const [notedFile, notedLog] = readNote(dataDir).split("\n");
  // In a copy of the folder both files have changed; the log then still belongs to the store.
  return isWithoutLog(file) || (notedLog === birthOf(log) && notedFile !== birthOf(file));
}

function isWithoutLog(file: string): boolean {
  const handle = openSync(file, "r");
  try {
    return hasRollbackHeader(handle);
  } finally {
    closeSync(handle);
  }
}

/** Whether a file is not in WAL mode, such as a backup, or empty. The two header bytes are never encrypted. */
export function hasRollbackHeader(handle: number): boolean {
  const versions = Buffer.alloc(2);
  return readSync(handle, versions, 0, 2, 18) === 0 || versions.equals(rollbackJournal);
}

/** @see https://www.sqlite.org/fileformat.html#file_format_version_numbers */
const rollbackJournal = Buffer.from([1, 1]);

function readNote(dataDir: string): string {
  try {
    return readFileSync(logNoteFile(dataDir), "latin1");
  } catch (error) {
    assertReadable(error);
    return "";
  }
}

/** Includes the time of creation, because inode numbers are reused. */
function birthOf(file: string): string {
  const { dev, ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${dev}/${ino}/${birthtimeNs}`;
}
