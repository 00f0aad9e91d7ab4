import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { AppError, because, type Reason } from "../../../../core/app-error.ts";
import type { BackupPlan } from "../../../../core/contract/desktop/practice/backups.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import { listArchives, writeArchive, type Archive } from "../../../store/backups/backup-archive.ts";
import { makeBackupKey, readBackupKey, writeBackupKey, type BackupKey } from "../../../store/backups/backup-cipher.ts";
import { listBackups, type BackupFile } from "../../../store/backups/backups.ts";
import { checkBackup, type BackupContent } from "../../../store/backups/check-backup.ts";
import {
  dateScheduledRestore,
  dropScheduledRestore,
  plannedRestoreMs,
  scheduleRestore,
} from "../../../store/backups/restore.ts";
import { keyOfStore, storeKeyOf } from "../../../store/encryption/key-keeper.ts";
import { openBytes, sealBytes } from "../../../store/encryption/sealed-file.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { machineOf } from "../../../store/machines/machine.ts";
import { stagePrivateFile, type StagedFile } from "../../../store/files/private-file.ts";
import { backupPlanSetting, getSetting, saveSetting } from "../../../store/settings.ts";
import { backupKeyFile, filmsDir } from "../../../store/files/store-files.ts";
import { isWithin } from "../../import/is-within.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";

type PlanContext = Pick<ServiceContext, "db" | "dataDir">;

/**
 * Stores the key derived from the passphrase in the data directory for unattended backups, and sealed if the store is
 * encrypted, since it opens every backup. The passphrase is not stored.
 *
 * @param passphrase  null to keep the current one
 * @throws AppError INVALID_FIELD
 */
export async function saveBackupPlan(context: PlanContext, plan: BackupPlan, passphrase: string | null): Promise<void> {
  if (plan.folder !== null) assertFolder(context.dataDir, plan.folder);
  if (plan.isEncrypted && passphrase === null && !existsSync(backupKeyFile(context.dataDir)))
    throw new AppError("INVALID_FIELD", because("backupNeedsPassphrase"));
  const staged = passphrase === null ? null : stageBackupKey(context.dataDir, passphrase);
  try {
    await transaction(context.db, async () => {
      if (staged !== null) await recordPassphrase(context);
      await saveSetting(context.db, backupPlanSetting, plan);
    });
    staged?.replace();
  } finally {
    staged?.discard();
  }
}

function stageBackupKey(dataDir: string, passphrase: string): StagedFile {
  const [file, key] = [backupKeyFile(dataDir), Buffer.from(writeBackupKey(makeBackupKey(passphrase)))];
  return stagePrivateFile(file, sealBytes(key, path.basename(file), keyOfStore(dataDir)));
}

function recordPassphrase({ db }: PlanContext): Promise<void> {
  return recordAudit(db, {
    action: "backup.planned",
    subject: backupPlanSetting.key,
    detail: { changed: "passphrase" },
  });
}

/** Newest first, including other workstations'. */
export async function listExternalBackups(context: PlanContext): Promise<readonly Archive[]> {
  const { folder } = await getSetting(context.db, backupPlanSetting);
  return folder === null ? [] : listArchives(folder, machineOf(context.dataDir));
}

/** @throws AppError BACKUP_FAILED for a missing folder, ABORTED if stopped */
export async function copyToExternalFolder(
  context: PlanContext,
  backup: BackupFile,
  signal?: AbortSignal,
): Promise<void> {
  const { folder, withFilms, isEncrypted } = await getSetting(context.db, backupPlanSetting);
  if (folder === null) return;
  const key = isEncrypted ? keyOf(context.dataDir) : null;
  const films = withFilms ? filmsDir(context.dataDir) : null;
  const machine = machineOf(context.dataDir);
  await writeArchive({ machine, backup, folder, filmsDir: films, key, storeKey: storeKeyOf(context.dataDir), signal });
}

/** @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED */
export async function tryBackup(context: PlanContext, name: string, passphrase: string | null): Promise<BackupContent> {
  return checkBackup(context.dataDir, (await findBackup(context, name)).path, passphrase);
}

/**
 * Films in an archive that are missing here are restored immediately.
 *
 * @throws AppError BACKUP_NOT_FOUND, BACKUP_LOCKED, BACKUP_DAMAGED
 */
export async function restoreAtStart(context: PlanContext, name: string, passphrase: string | null): Promise<void> {
  const { dataDir } = context;
  const backup = await findBackup(context, name);
  await scheduleRestore(dataDir, backup.path, passphrase);
  try {
    dateScheduledRestore(dataDir, backup.atMs);
    await recordAudit(context.db, { action: "restore.planned", subject: name });
  } catch (error) {
    // A restore whose planning failed must not replace the store at the next start.
    dropScheduledRestore(dataDir);
    throw error;
  }
}

export async function cancelRestore({ db, dataDir }: PlanContext): Promise<void> {
  if (plannedRestoreMs(dataDir) === null) return;
  await transaction(db, async () => {
    await recordAudit(db, { action: "restore.cancelled" });
    dropScheduledRestore(dataDir);
  });
}

async function findBackup(context: PlanContext, name: string): Promise<BackupFile> {
  const found = [...listBackups(context.dataDir), ...(await listExternalBackups(context))].find(
    (backup) => backup.name === name,
  );
  if (!found) throw new AppError("BACKUP_NOT_FOUND", `There is no backup ${name}.`);
  return found;
}

function assertFolder(dataDir: string, folder: string): void {
  const refuse = (why: Reason) => new AppError("INVALID_FIELD", why);
  if (!path.isAbsolute(folder)) throw refuse(because("backupFolderNotWhole"));
  if (isWithin(folder, dataDir)) throw refuse(because("backupFolderInside"));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw refuse(because("backupFolderMissing"));
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw refuse(because("backupFolderReadOnly"));
  }
}

function keyOf(dataDir: string): BackupKey {
  try {
    const file = backupKeyFile(dataDir);
    const key = openBytes(readFileSync(file), path.basename(file), () => storeKeyOf(dataDir));
    return readBackupKey(key.toString("utf8"));
  } catch (cause) {
    throw new AppError("BACKUP_FAILED", because("backupKeyUnreadable"), { cause });
  }
}
