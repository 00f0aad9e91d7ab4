import { AppError } from "../../../core/app-error.ts";
import { findNewestGoodBackup, type BackupFile } from "../../store/backups/backups.ts";
import { scheduleRestore } from "../../store/backups/restore.ts";
import { startEmptyStore } from "../../store/database.ts";

export type DamageDecision = "restore" | "empty" | "quit";

type Opening<Program> = {
  readonly dataDir: string;
  open(): Promise<Program>;
  ask(error: AppError, backup: BackupFile | null): Promise<DamageDecision>;
};

/** If the store is damaged or missing, the user chooses a backup or an empty store. Returns null if the user quits. */
export async function openOrRecover<Program>({ dataDir, open, ask }: Opening<Program>): Promise<Program | null> {
  const refused = new Set<string>();
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "STORE_DAMAGED") throw error;
      const backup = findNewestGoodBackup(dataDir, { except: refused });
      const decision = await ask(error, backup);
      if (decision === "quit") return null;
      // The next attempt restores the backup.
      if (decision === "restore" && backup !== null) await scheduleUnlessRefused(dataDir, backup, refused);
      else await startEmptyStore(dataDir);
    }
  }
}

/** Schedules the restore of a backup. A backup whose record does not verify is not offered again. */
async function scheduleUnlessRefused(dataDir: string, backup: BackupFile, refused: Set<string>): Promise<void> {
  try {
    await scheduleRestore(dataDir, backup.path);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "BACKUP_DAMAGED") throw error;
    refused.add(backup.name);
  }
}
