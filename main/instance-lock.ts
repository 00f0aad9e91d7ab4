import Database from "better-sqlite3";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../core/app-error.ts";

/** What other local software reads to find the running service. */
const serverFileSchema = z.object({ url: z.string(), port: z.int(), pid: z.int(), authority: z.string() });

/** Content of `DATA_DIR/server.json`. */
export type ServerFile = z.infer<typeof serverFileSchema>;

/** Hold on a data directory; one program at a time. */
export type InstanceLock = {
  /** Writes `server.json`; the lock's release removes it. */
  announce(server: ServerFile): void;
  release(): void;
};

/**
 * Takes the data directory for this process. The hold is a lock of the operating system on a file of its own (through
 * SQLite), so it ends with the process however that ends: no process number to guess about after a crash.
 *
 * @throws AppError STORE_BUSY with the address of the program that has it
 */
export function lockDataDir(dataDir: string): InstanceLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new Database(lockFile(dataDir), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    const server = readServerFile(dataDir);
    throw new AppError("STORE_BUSY", `Corvet is already running on ${dataDir}${server ? ` at ${server.url}` : ""}.`, {
      cause: error,
    });
  }
  const file = serverFile(dataDir);
  return {
    announce: (server) => writeFileSync(file, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600 }),
    release: () => {
      rmSync(file, { force: true });
      lock.close();
    },
  };
}

/** Whether a program has the data directory now; the lock file itself stays when it ends. */
export function isDataDirTaken(dataDir: string): boolean {
  if (!existsSync(lockFile(dataDir))) return false;
  const lock = new Database(lockFile(dataDir), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return false;
  } catch {
    return true;
  } finally {
    lock.close();
  }
}

/** What the program that has the data directory says of itself; null when none does, or not yet. */
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
