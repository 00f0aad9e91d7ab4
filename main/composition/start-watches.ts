import type { ServiceContext } from "../services/measuring/service-context.ts";
import { startDailyBackup } from "../services/program/backups/backup.ts";
import { startConversion } from "../services/program/encryption/convert-files.ts";
import { clearLeftovers } from "../services/program/leftovers.ts";
import type { Troubles } from "../services/program/troubles.ts";
import { startDiskWatch } from "../services/program/watches/disk-watch.ts";
import { startMachineWatch } from "../services/program/watches/machine-watch.ts";
import { startRecordWatch } from "../services/program/watches/record-watch.ts";
import { engineOf } from "../store/engines/engine.ts";
import type { CorvetOptions } from "./corvet.ts";

/** Registers this workstation, and watches the other ones, the record, the disk and the age of the backups. */
export async function startWatches(
  context: ServiceContext,
  troubles: Troubles,
  { headVault = null, pollMs }: Pick<CorvetOptions, "headVault" | "pollMs">,
  onOrphanedWork: () => Promise<void>,
  closing: AsyncDisposableStack,
): Promise<{ readonly isInDatabase: boolean; readonly isBackingUp: () => boolean }> {
  const machine = await startMachineWatch(context, onOrphanedWork, pollMs);
  closing.defer(() => machine.stop());
  await clearLeftovers(context);
  const watch = await startRecordWatch(context, troubles, headVault);
  closing.defer(() => watch.stop());
  const isInDatabase = engineOf(context.db).file === null;
  const disk = await startDiskWatch(context, troubles, { isBesideDatabase: isInDatabase, everyMs: pollMs });
  closing.defer(() => disk.stop());
  if (isInDatabase) return { isInDatabase, isBackingUp: () => false };
  const backups = startDailyBackup(context);
  closing.defer(() => backups.stop());
  const conversion = startConversion(context, troubles);
  closing.defer(() => conversion.stop());
  return { isInDatabase, isBackingUp: backups.isUnderWay };
}
