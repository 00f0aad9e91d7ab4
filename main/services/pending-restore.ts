import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../core/app-error.ts";
import { listBackups, restoreBackup } from "../store/backups.ts";
import { findDamageInFile } from "../store/integrity.ts";

/** Names the backup that the next start puts in the store's place: an open store cannot be replaced. */
function requestFile(dataDir: string): string {
  return path.join(dataDir, "restore-at-start");
}

/**
 * Asks for a backup to be restored at the next start.
 *
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_DAMAGED
 */
export function requestRestore(dataDir: string, name: string): void {
  const backup = listBackups(dataDir).find((candidate) => candidate.name === name);
  if (!backup) throw new AppError("BACKUP_NOT_FOUND", `There is no backup ${name}.`);
  const damage = findDamageInFile(backup.path);
  if (damage !== null) throw new AppError("BACKUP_DAMAGED", `The backup ${name} is damaged: ${damage}.`);
  writeFileSync(requestFile(dataDir), name, { mode: 0o600 });
}

/**
 * Carries out what was asked for; call it before the store is opened. The request is gone afterwards, whatever came of it.
 *
 * @returns name of the backup that was restored, null when none was asked for
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_DAMAGED, STORE_BUSY
 */
export function applyPendingRestore(dataDir: string, at: Date): string | null {
  const file = requestFile(dataDir);
  if (!existsSync(file)) return null;
  const name = readFileSync(file, "utf8").trim();
  rmSync(file);
  restoreBackup(dataDir, name, at);
  return name;
}
