import { AppError, because } from "../../../../core/app-error.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import { makeBackup, type BackupFile } from "../../../store/backups/backups.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { takeOutside } from "./backup-plan.ts";

/** Backups that the user asks for. */
export type PageBackups = {
  /**
   * Makes one and tells the page how far it is, `backupId` being the page's name for it.
   *
   * @throws AppError ABORTED when it was stopped, CONFLICT while another one is made, BACKUP_DAMAGED
   */
  make(backupId: string): Promise<BackupFile>;
  /** Stops it; stopping one that has ended is not an error. */
  cancel(backupId: string): void;
  /** Stops the one under way; call it before the store is closed. */
  close(): Promise<void>;
};

export function createPageBackups({ db, dataDir, now, publish }: DesktopContext): PageBackups {
  let running: {
    readonly backupId: string;
    readonly stop: AbortController;
    readonly ended: Promise<BackupFile>;
  } | null = null;
  return {
    async make(backupId) {
      if (running) throw new AppError("CONFLICT", because("backupRunning"));
      const stop = new AbortController();
      let shownPercent = -1;
      const ended = makeBackup(db, dataDir, now(), {
        signal: stop.signal,
        onProgress(progress) {
          const percent = Math.floor((100 * progress.copiedBytes) / progress.totalBytes);
          if (percent === shownPercent) return;
          shownPercent = percent;
          publish({ name: "backup.progress", payload: { backupId, progress } });
        },
      }).then(async (backup) => {
        recordAudit(db, { action: "backup.made", at: now(), subject: backup.name });
        await takeOutside({ db, dataDir }, backup);
        return backup;
      });
      running = { backupId, stop, ended };
      try {
        return await ended;
      } finally {
        running = null;
      }
    },
    cancel(backupId) {
      if (running?.backupId === backupId) running.stop.abort();
    },
    async close() {
      running?.stop.abort();
      await running?.ended.catch(() => undefined);
    },
  };
}
