import Database from "better-sqlite3";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../core/app-error.ts";
import { sqliteCodeOf } from "./store/engines/sqlite/connect.ts";
import { openingFault } from "./store/opening/opening-fault.ts";
import { replacePrivateFile } from "./store/files/private-file.ts";
import { isDamage } from "./store/record/integrity.ts";

/** Other local software reads it to find the running service. */
const serverFileSchema = z.object({ url: z.string(), port: z.int(), pid: z.int(), authority: z.string() });

export type ServerFile = z.infer<typeof serverFileSchema>;

export type InstanceLock = {
  announce(server: ServerFile): void;
  release(): void;
};

/**
 * Locks the data directory for this process. Uses a lock of the operating system on a separate file (through SQLite),
 * which ends with the process in every case, so that a crash leaves no stale lock.
 *
 * @throws AppError STORE_BUSY with the address of the program that holds the lock, STORE_UNAVAILABLE if other users can
 *   write to the folder or this user cannot, DISK_FULL
 */
export function lockDataDir(dataDir: string): InstanceLock {
  const lock = openLock(dataDir);
  const file = serverFile(dataDir);
  return {
    announce: (server) => replacePrivateFile(file, `${JSON.stringify(server, null, 2)}\n`),
    release: () => {
      try {
        rmSync(file, { force: true });
      } catch {
        // The disk may have become read-only. Readers of the file check the lock first.
      }
      lock.close();
    },
  };
}

function openLock(dataDir: string): Database.Database {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    removeOthersWriteAccess(dataDir);
    if (!existsSync(lockFile(dataDir))) assertNotAnnounced(dataDir);
    return lockedFile(dataDir);
  } catch (error) {
    const fault = openingFault(error, dataDir);
    if (!isHeld(error)) throw fault;
    const server = readServerFile(dataDir);
    throw new AppError(
      "STORE_BUSY",
      `Corvet is already running on ${dataDir}${server ? ` at ${server.url}` : ""}. Stop it first.`,
      {
        cause: error,
      },
    );
  }
}

/** @throws AppError STORE_BUSY if the lock was deleted under a running program */
function assertNotAnnounced(dataDir: string): void {
  const server = findRunning(dataDir);
  if (server === null) return;
  const file = serverFile(dataDir);
  throw new AppError(
    "STORE_BUSY",
    `Corvet is running on ${dataDir} at ${server.url}, although its lock was deleted. Stop process ${server.pid}; if that is another program, delete ${file}.`,
  );
}

function findRunning(dataDir: string): ServerFile | null {
  const server = readServerFile(dataDir);
  return server !== null && server.pid !== process.pid && isAlive(server.pid) ? server : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Locks the file without writing to it, so that a full disk does not prevent a start. @throws SqliteError */
function lockedFile(dataDir: string): Database.Database {
  const lock = new Database(lockFile(dataDir), { timeout: 0 });
  try {
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!isDamage(error)) throw error;
    // The damaged file could be read, so it is not locked. Truncate it: two programs that replaced it would both get a
    // lock.
    truncateSync(lockFile(dataDir));
    return lockedFile(dataDir);
  }
}

function isHeld(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCodeOf(error) ?? "");
}

/** Such access would allow to replace store, packs or authority. Windows has no such bits. */
function removeOthersWriteAccess(dataDir: string): void {
  if (process.platform === "win32") return;
  const { mode, uid } = statSync(dataDir);
  if ((mode & writableByOthers) === 0) return;
  if ((mode & sharedOnPurpose) !== 0 || uid !== process.getuid?.())
    throw new AppError(
      "STORE_UNAVAILABLE",
      `Other users can write to ${dataDir}. Choose a folder of your own, or remove their write permission.`,
    );
  chmodSync(dataDir, mode & ~writableByOthers & 0o7777);
}

const writableByOthers = 0o022;
const sharedOnPurpose = 0o1000;

/** Whether a program uses the data directory now. The lock file itself remains after a program ends. */
export function isDataDirTaken(dataDir: string): boolean {
  if (!existsSync(lockFile(dataDir))) return findRunning(dataDir) !== null;
  try {
    lockedFile(dataDir).close();
    return false;
  } catch (error) {
    return isHeld(error);
  }
}

export function readServerFile(dataDir: string): ServerFile | null {
  try {
    return serverFileSchema.parse(JSON.parse(readFileSync(serverFile(dataDir), "utf8")));
  } catch {
    return null;
  }
}

function lockFile(dataDir: string): string {
  return path.join(dataDir, "corvet.lock");
}

function serverFile(dataDir: string): string {
  return path.join(dataDir, "server.json");
}
