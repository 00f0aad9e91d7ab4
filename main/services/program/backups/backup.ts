import { AppError } from "../../../../core/app-error.ts";
import { systemFaultOf } from "../../../../core/system-fault.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import { listBackups, makeBackup, type BackupFile } from "../../../store/backups/backups.ts";
import { createPoller } from "../../desktop/poller.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import { copyToExternalFolder, listExternalBackups } from "./backup-plan.ts";

/** Maximum age of the newest backup [ms]. */
const backupEveryMs = 24 * 60 * 60 * 1000;
/** A 24-hour timer would pause while the computer sleeps. */
const checkIntervalMs = 60 * 60 * 1000;

/** A failed backup is reported and retried after an hour. */
export function startDailyBackup(
  context: Pick<ServiceContext, "db" | "dataDir" | "now" | "log" | "reportFault">,
  everyMs = checkIntervalMs,
) {
  const stopping = new AbortController();
  let isUnderWay = false;
  const backUp = async () => {
    isUnderWay = true;
    await backUpIfDue(context, stopping.signal);
    isUnderWay = false;
  };
  const poller = createPoller(backUp, everyMs, (error) => context.log.error({ error }, "the daily backup failed"));
  void poller.poll();
  poller.start();
  return {
    isUnderWay: () => isUnderWay,
    /** Stops a backup in progress, too; call before the store closes. */
    stop() {
      stopping.abort();
      return poller.close();
    },
  };
}

async function backUpIfDue(
  { db, dataDir, now, log, reportFault }: Parameters<typeof startDailyBackup>[0],
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const at = now();
  try {
    if (isDue(listBackups(dataDir), at)) {
      const backup = await makeBackup(db, dataDir, at, signal);
      await recordAudit(db, { action: "backup.made", at, subject: backup.name });
      log.info({ backup: backup.name, sizeBytes: backup.sizeBytes }, "store backed up");
    }
    const newest = listBackups(dataDir).find(({ atMs }) => atMs <= at.getTime());
    const copies = (await listExternalBackups({ db, dataDir })).filter(({ isOwn }) => isOwn);
    if (newest && isDue(copies, at)) await copyToExternalFolder({ db, dataDir }, newest, signal);
  } catch (error) {
    if (signal.aborted) return;
    const fault = systemFaultOf(error) ?? error;
    const cause = fault instanceof Error ? fault.message : String(fault);
    reportFault({
      code: fault instanceof AppError ? fault.code : "BACKUP_FAILED",
      message: `The daily backup could not be made: ${cause}`,
    });
  }
}

/** A backup dated in the future (clock corrected) does not delay the next one. */
function isDue(backups: readonly BackupFile[], at: Date): boolean {
  const ages = backups.map((backup) => at.getTime() - backup.atMs);
  return !ages.some((ageMs) => ageMs >= 0 && ageMs < backupEveryMs);
}
