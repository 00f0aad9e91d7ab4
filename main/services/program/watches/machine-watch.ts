import { engineOf } from "../../../store/engines/engine.ts";
import { machineOf } from "../../../store/machines/machine.ts";
import { recordMachineActive, recordMachineStopped, noteStoreMissed } from "../../../store/machines/machines.ts";
import { createPoller } from "../../desktop/poller.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";

const noteEveryMs = 5000;

/**
 * Does nothing for a store in a file.
 *
 * @param adoptOrphanedWork  called after each heartbeat, to adopt work of ended workstations
 */
export async function startMachineWatch(
  { db, dataDir, programVersion, log }: Pick<ServiceContext, "db" | "dataDir" | "programVersion" | "log">,
  adoptOrphanedWork: () => Promise<void>,
  everyMs = noteEveryMs,
): Promise<{ stop(): Promise<void> }> {
  if (engineOf(db).machineId === null) return { stop: () => Promise.resolve() };
  const facts = { name: machineOf(dataDir).name, programVersion };
  await recordMachineActive(db, facts);
  const note = async () => {
    try {
      await recordMachineActive(db, facts);
    } catch (error) {
      noteStoreMissed(db);
      return log.warn({ error }, "the heartbeat could not be written to the database");
    }
    await adoptOrphanedWork().catch((error: unknown) =>
      log.warn({ error }, "work of ended workstations could not be adopted"),
    );
  };
  const heartbeats = createPoller(note, everyMs, (error) => log.error({ error }, "the heartbeat failed"));
  heartbeats.start();
  return {
    /** Releases unfinished work to other workstations. */
    async stop() {
      await heartbeats.close();
      await recordMachineStopped(db).catch((error: unknown) =>
        log.warn({ error }, "the shutdown of this workstation could not be recorded"),
      );
    },
  };
}
