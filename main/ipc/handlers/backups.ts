import type { backupsContract } from "../../../core/contract/desktop/practice/backups.ts";
import {
  cancelRestore,
  listExternalBackups,
  restoreAtStart,
  saveBackupPlan,
  tryBackup,
} from "../../services/program/backups/backup-plan.ts";
import { findDamageInFiles } from "../../store/backups/backup-thread-client.ts";
import { listBackups, type BackupFile } from "../../store/backups/backups.ts";
import { plannedRestoreMs } from "../../store/backups/restore.ts";
import { getEncryption, offerRecoveryKey, planEncryption } from "../../services/program/encryption/encryption.ts";
import { keyOfCopies } from "../../store/encryption/copy-keys.ts";
import { sqliteFileOf } from "../../store/engines/engine.ts";
import { backupsDir } from "../../store/files/store-files.ts";
import { backupJob } from "../../services/program/backups/page-backups.ts";
import { backupPlanSetting, getSetting } from "../../store/settings.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function backupHandlers({ context, jobs, makeBackup }: DesktopParts): Handlers<keyof typeof backupsContract> {
  const { db, dataDir } = context;
  return {
    "backups.list": async () => {
      const files = listBackups(dataDir);
      const plannedMs = plannedRestoreMs(dataDir);
      return {
        backups: files.map(toBackup),
        folder: backupsDir(dataDir),
        outside: (await listExternalBackups(context)).map(({ name, atMs, sizeBytes, machine }) => ({
          name,
          at: new Date(atMs).toISOString(),
          bytes: sizeBytes,
          machine,
        })),
        planned: plannedMs === null ? null : { at: new Date(plannedMs).toISOString() },
      };
    },
    "backups.listDamaged": async () => {
      const files = listBackups(dataDir);
      const damages = await findDamageInFiles(
        files.map(({ path }) => path),
        keyOfCopies(dataDir),
      );
      return { names: files.filter((_, index) => damages[index] !== null).map(({ name }) => name) };
    },
    "backups.make": async ({ backupId }) => toBackup(await makeBackup(backupId)),
    "backups.cancel": ({ backupId }) => jobs.cancel(backupJob(backupId)),
    "backups.plan": () => getSetting(db, backupPlanSetting),
    "backups.savePlan": ({ passphrase, ...plan }) => {
      sqliteFileOf(db);
      return saveBackupPlan(context, plan, passphrase);
    },
    "backups.check": ({ name, passphrase }) => tryBackup(context, name, passphrase),
    "backups.restore": async ({ name, passphrase }) => {
      sqliteFileOf(db);
      await restoreAtStart(context, name, passphrase);
    },
    "backups.cancelRestore": () => cancelRestore(context),
    "encryption.get": () => getEncryption(dataDir),
    "encryption.offer": () => ({ offered: offerRecoveryKey(db, dataDir) }),
    "encryption.plan": async ({ isWanted, recoveryKey }) => {
      await planEncryption(db, dataDir, isWanted, recoveryKey);
      context.publish({ name: "encryption.changed", payload: {} });
      return getEncryption(dataDir);
    },
  };
}

function toBackup({ name, atMs, sizeBytes }: BackupFile) {
  return { name, at: new Date(atMs).toISOString(), bytes: sizeBytes };
}
