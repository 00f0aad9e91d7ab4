import { AppError, because } from "../../../../core/app-error.ts";
import type { BackupProgress } from "../../../../core/contract/desktop/practice/backups.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import { makeBackup, type BackupFile } from "../../../store/backups/backups.ts";
import { bytesOfStore } from "../../../store/engines/engine.ts";
import { backupsDir, filmsDir } from "../../../store/files/store-files.ts";
import { backupPlanSetting, getSetting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import type { RunningJobs } from "../../desktop/running-jobs.ts";
import { copyToExternalFolder } from "./backup-plan.ts";
import { bytesOfFolder, watchGrowth } from "./watch-growth.ts";

/**
 * Publishes progress under the page's `backupId`.
 *
 * @throws AppError ABORTED if stopped, CONFLICT during another backup, BACKUP_DAMAGED
 */
export type BackupMaking = (backupId: string) => Promise<BackupFile>;

/** Differs from the published id, since every user may cancel a page's job by its id. */
export function backupJob(backupId: string): string {
  return `backup ${backupId}`;
}

export function createBackupMaking({ db, dataDir, now, publish }: DesktopContext, jobs: RunningJobs): BackupMaking {
  let isRunning = false;
  const makeOne = async (backupId: string, signal: AbortSignal): Promise<BackupFile> => {
    const report = (progress: BackupProgress) => publish({ name: "backup.progress", payload: { backupId, progress } });
    const here = { folder: backupsDir(dataDir), totalBytes: bytesOfStore(db), place: "here" } as const;
    const endHere = watchGrowth(here, report);
    const backup = await makeBackup(db, dataDir, now(), signal).finally(endHere);
    await recordAudit(db, { action: "backup.made", at: now(), subject: backup.name });
    const { folder, withFilms } = await getSetting(db, backupPlanSetting);
    if (folder === null) return backup;
    const films = withFilms ? await bytesOfFolder(filmsDir(dataDir)) : 0;
    const endOutside = watchGrowth({ folder, totalBytes: backup.sizeBytes + films, place: "outside" }, report);
    await copyToExternalFolder({ db, dataDir }, backup, signal).finally(endOutside);
    return backup;
  };
  return async (backupId) => {
    if (isRunning) throw new AppError("CONFLICT", because("backupRunning"));
    isRunning = true;
    try {
      return await jobs.run(backupJob(backupId), (signal) => makeOne(backupId, signal));
    } finally {
      isRunning = false;
    }
  };
}
