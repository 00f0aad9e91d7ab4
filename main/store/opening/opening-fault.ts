import { closeSync, existsSync, openSync, statfsSync } from "node:fs";
import { AppError } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import { sqliteCodeOf } from "../engines/sqlite/connect.ts";
import { storeFile } from "../files/store-files.ts";

/** Disk space below which a store and its write-ahead log do not fit [bytes]. */
const minFreeBytes = 1_000_000;
/** Database, write-ahead log, shared memory, one or two locks. */
const filesOfStore = 5;

/** STORE_BUSY, DISK_FULL, TOO_MANY_FILES or STORE_UNAVAILABLE; returns an unexpected error unchanged. */
export function openingFault(error: unknown, dataDir: string): unknown {
  const code = sqliteCodeOf(error) ?? (error instanceof Error && "code" in error ? String(error.code) : null);
  if (error instanceof AppError || code === null) return error;
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return new AppError("STORE_BUSY", undefined, { cause: error });
  const fault = systemFaultOf(error) ?? hiddenFault(code, dataDir);
  if (fault !== null) return new AppError(fault.code, `${fault.message} (${dataDir}).`, { cause: error });
  const cannotOpen = /^(SQLITE_(CANTOPEN|READONLY|IOERR|PERM)|EACCES|EPERM|EROFS|EIO|ELOOP|ENOENT|ENOTDIR|EEXIST)/.test(
    code,
  );
  return cannotOpen
    ? new AppError(
        "STORE_UNAVAILABLE",
        `The data directory ${dataDir} cannot be used: ${wordsOf(code, dataDir, pathOf(error))}.`,
        {
          cause: error,
        },
      )
    : error;
}

/** SQLite reports an I/O error of its shared memory for a full disk, and "cannot open" for too many open files. */
function hiddenFault(code: string, dataDir: string): AppError | null {
  if (code.startsWith("SQLITE_IOERR")) {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize < minFreeBytes ? new AppError("DISK_FULL") : null;
  }
  return code.startsWith("SQLITE_CANTOPEN") ? faultOfOpening(dataDir) : null;
}

function faultOfOpening(dataDir: string): AppError | null {
  const handles: number[] = [];
  try {
    while (handles.length < filesOfStore) handles.push(openSync(dataDir, "r"));
    return null;
  } catch (error) {
    return systemFaultOf(error);
  } finally {
    handles.forEach((handle) => closeSync(handle));
  }
}

function wordsOf(code: string, dataDir: string, path: string): string {
  const file = storeFile(dataDir);
  if (code.startsWith("SQLITE_CANTOPEN") && existsSync(file)) return `this user may not read or write ${file}`;
  if (/^(?:SQLITE_CANTOPEN|ENOENT|ENOTDIR|EEXIST)/.test(code)) return "it is missing or not a folder";
  if (/^(?:SQLITE_(?:READONLY|PERM)|EACCES|EPERM|EROFS)/.test(code)) return "this user may not read or write it";
  return `the disk reports a fault (${code}${path})`;
}

/** The file at fault, which SQLite does not name. */
function pathOf(error: unknown): string {
  return error instanceof Error && "path" in error ? `, ${String(error.path)}` : "";
}
