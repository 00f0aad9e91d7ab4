import { AppError } from "../../core/app-error.ts";
import { findNewestGoodBackup, listBackups, type BackupFile } from "./backups.ts";
import { listDamagedFiles } from "./store-files.ts";

/** What a user can go back to when there is no sound store. */
export type Recovery = {
  /** Names of the damaged files set aside, newest first. */
  readonly damagedFiles: readonly string[];
  readonly newestGoodBackup: BackupFile | null;
};

/** What lies in a data directory to recover from; reads every backup until a sound one is found. */
export function getRecovery(dataDir: string): Recovery {
  return { damagedFiles: listDamagedFiles(dataDir), newestGoodBackup: findNewestGoodBackup(dataDir) };
}

/**
 * A data directory without a store but with traces of one must not quietly get an empty store.
 *
 * @throws AppError STORE_DAMAGED
 */
export function assertNothingToRecover(dataDir: string): void {
  const [damaged] = listDamagedFiles(dataDir);
  if (damaged === undefined && listBackups(dataDir).length === 0) return;
  throw new AppError("STORE_DAMAGED", `The store is missing${damaged ? ` (a damaged one was set aside as ${damaged})` : ""}. ${wayOut(dataDir)}`);
}

/** The refusal of a damaged store, with what happened to it and what to do. */
export function damagedError(dataDir: string, damage: string, asidePath: string | null): AppError {
  const happened = asidePath === null ? "" : ` It was set aside as ${asidePath}; nothing was deleted.`;
  return new AppError("STORE_DAMAGED", `The store in ${dataDir} is damaged: ${damage}.${happened} ${wayOut(dataDir)}`);
}

function wayOut(dataDir: string): string {
  const backup = findNewestGoodBackup(dataDir);
  const empty = `To begin with an empty store: npm run backup -- start-empty --data-dir ${JSON.stringify(dataDir)}`;
  if (!backup) return `There is no good backup. ${empty}`;
  return `Newest good backup: ${backup.name}, made ${new Date(backup.atMs).toISOString()}. To restore it: npm run backup -- restore ${backup.name} --data-dir ${JSON.stringify(dataDir)} . ${empty}`;
}
