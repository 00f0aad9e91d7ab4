import { AppError } from "../../../../core/app-error.ts";
import { systemFaultOf } from "../../../../core/system-fault.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import { listBackups, makeBackup, type BackupFile } from "../../../store/backups/backups.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import { listOwnOutside, takeOutside } from "./backup-plan.ts";

/** A backup is made when none is younger than this [ms]. */
const backupEveryMs = 24 * 60 * 60 * 1000;
/** Interval of checks [ms]; a 24-hour timer would pause while the computer sleeps. */
const lookEveryMs = 60 * 60 * 1000;

/** The daily backup of a running program. */
export type DailyBackup = {
  isUnderWay(): boolean;
  /**
   * Ends the schedule and stops a backup under way, which the next start makes up for; call it before the store is
   * closed.
   */
  stop(): Promise<void>;
};

/**
 * Keeps a backup of every day while the program runs; one that cannot be made is reported, and tried again an hour
 * later.
 */
export function startDailyBackup(
  context: Pick<ServiceContext, "db" | "dataDir" | "now" | "log" | "reportFault">,
  everyMs = lookEveryMs,
): DailyBackup {
  const stopping = new AbortController();
  let isUnderWay = false;
  const look = async () => {
    isUnderWay = true;
    await backUpIfDue(context, stopping.signal);
    isUnderWay = false;
  };
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, everyMs);
  timer.unref();
  return {
    isUnderWay: () => isUnderWay,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
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
      const backup = await makeBackup(db, dataDir, at, { signal });
      await recordAudit(db, { action: "backup.made", at, subject: backup.name });
      log.info({ backup: backup.name, sizeBytes: backup.sizeBytes }, "store backed up");
    }
    const newest = listBackups(dataDir).find(({ atMs }) => atMs <= at.getTime());
    if (newest && isDue(await listOwnOutside({ db, dataDir }), at)) await takeOutside({ db, dataDir }, newest, signal);
  } catch (error) {
    if (signal.aborted) return;
    const fault = systemFaultOf(error) ?? error;
    const cause = fault instanceof Error ? fault.message : String(fault);
    reportFault({
      at: at.toISOString(),
      code: fault instanceof AppError ? fault.code : "BACKUP_FAILED",
      message: `The daily backup could not be made: ${cause}`,
    });
  }
}

/** One from the future (a clock put right) is no reason to wait. */
function isDue(backups: readonly BackupFile[], at: Date): boolean {
  const ages = backups.map((backup) => at.getTime() - backup.atMs);
  return !ages.some((ageMs) => ageMs >= 0 && ageMs < backupEveryMs);
}
