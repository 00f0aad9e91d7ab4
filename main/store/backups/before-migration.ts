import type { Database } from "better-sqlite3";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { openDatabaseFile } from "../encryption/database-file.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { backupsDir, fileStamp, flush } from "../store-files.ts";
import { leaveSessionsOut } from "./leave-sessions-out.ts";

/**
 * The copy until the schema has changed: one for each process, since a command may open the store beside the program.
 */
const waitingName = (pid: number) => `before-migration-${pid}.db`;
const waitingNames = /^before-migration-(\d+)\.db(\.unfinished)?$/;

/**
 * Changes the schema of an older program's store, of which a copy as it was is kept: what the older program goes back
 * to. It is a backup like any other: encrypted where the store is, and without capture sessions. A failure is thrown:
 * nothing is changed without a copy, and no copy stays of a change that failed or that another process made meanwhile.
 * Ends before the copy is a backup (@see keepWaitingCopy).
 *
 * @param db            open, in no transaction
 * @param isStillOlder  whether the schema is an older program's, asked when the copy is there
 */
export async function migrateBehindCopy(
  db: Database,
  dataDir: string,
  migrate: () => Promise<void>,
  isStillOlder: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  const waiting = path.join(backupsDir(dataDir), waitingName(process.pid));
  copyStore(db, dataDir, waiting);
  try {
    if (!(await isStillOlder())) rmSync(waiting, { force: true });
    await migrate();
  } catch (error) {
    rmSync(waiting, { force: true });
    throw error;
  }
}

/**
 * Gives the copy of a store whose schema has changed its place among the backups. A kill may have come in between: then
 * it is the newest that a process left which is gone. What others left is deleted.
 */
export function keepWaitingCopy(dataDir: string): void {
  const folder = backupsDir(dataDir);
  const whole: { readonly file: string; readonly made: Date }[] = [];
  for (const name of listWaiting(folder)) {
    const file = path.join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && name.endsWith(".db")) whole.push({ file, made: found.mtime });
    else rmSync(file, { force: true });
  }
  const [newest, ...others] = whole.sort((one, other) => other.made.getTime() - one.made.getTime());
  for (const { file } of others) rmSync(file, { force: true });
  if (newest) renameSync(newest.file, path.join(folder, `corvet-${fileStamp(newest.made)}.db`));
}

/** Copies of this process and of those that are gone, finished or not. */
function listWaiting(folder: string): string[] {
  const isOurs = (name: string) => {
    const pid = waitingNames.exec(name)?.[1];
    return pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid)));
  };
  return existsSync(folder) ? readdirSync(folder).filter(isOurs) : [];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be asked, and is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function copyStore(db: Database, dataDir: string, file: string): void {
  mkdirSync(backupsDir(dataDir), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.unfinished`;
  // What a kill left would be in the way.
  for (const left of [unfinished, file]) rmSync(left, { force: true });
  try {
    db.prepare("VACUUM INTO ?").run(unfinished);
    chmodSync(unfinished, 0o600);
    withoutSessions(unfinished, keyOfStore(dataDir));
    flush(unfinished);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function withoutSessions(file: string, key: StoreKey | null): void {
  const copy = openDatabaseFile(file, key);
  try {
    // A journal on the disk would keep what goes.
    copy.pragma("journal_mode = MEMORY");
    if (leaveSessionsOut(copy) > 0) copy.exec("VACUUM");
  } finally {
    copy.close();
  }
}
