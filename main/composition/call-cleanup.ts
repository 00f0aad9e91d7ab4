import { settlePendingDeliveries, withdrawLostCharges } from "../services/calls/delivery.ts";
import { purgePopSessions } from "../services/calls/pop-session.ts";
import { createPoller } from "../services/desktop/poller.ts";
import type { ServiceContext } from "../services/measuring/service-context.ts";

/** Interval at which lost charges are withdrawn and expired capture sessions deleted [ms]. */
const cleanupEveryMs = 30_000;

/**
 * Withdraws charges whose responses were lost and deletes expired capture sessions, now and while the service runs.
 * Start it before the server listens, and stop it after the last response.
 */
export async function startCallCleanup(context: ServiceContext): Promise<{ stop(): Promise<void> }> {
  const clean = async (isStart: boolean) => {
    await settlePendingDeliveries(context);
    await withdrawLostCharges(context, { isStart });
    await purgePopSessions(context);
  };
  const warn = (error: unknown) => context.log.error({ error }, "the cleanup of calls failed");
  await clean(true).catch(warn);
  const poller = createPoller(() => clean(false), cleanupEveryMs, warn);
  poller.start();
  return {
    async stop() {
      await poller.close();
      await settlePendingDeliveries(context);
    },
  };
}
