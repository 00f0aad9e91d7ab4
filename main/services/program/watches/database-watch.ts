import { sql } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import { because } from "../../../../core/app-error.ts";
import type { ReadableDb } from "../../../store/database.ts";
import { createPoller } from "../../desktop/poller.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import type { Troubles } from "../troubles.ts";

/** Interval of queries, and their timeout [ms]. */
const queryEveryMs = 2000;
const timeoutMs = 4000;

/**
 * Raises a trouble while the database does not respond.
 *
 * @param onChange  awaited before the trouble is raised or cleared; repeated if it fails
 */
export function startDatabaseWatch(
  { db, log }: Pick<ServiceContext, "db" | "log">,
  troubles: Troubles,
  onChange: (isAway: boolean) => Promise<void>,
  everyMs = queryEveryMs,
): { stop(): Promise<void> } {
  let [isAway, isStopped] = [false, false];
  const check = async () => {
    const isNowAway = !(await isResponding(db));
    if (isNowAway === isAway || isStopped) return;
    await onChange(isNowAway);
    isAway = isNowAway;
    if (isAway) troubles.raise("STORE_UNAVAILABLE", because("databaseAway"));
    else troubles.clear("STORE_UNAVAILABLE");
  };
  const poller = createPoller(check, everyMs, (error) => log.error({ error }, "the check of the database failed"));
  void poller.poll();
  poller.start();
  return {
    stop() {
      isStopped = true;
      return poller.close();
    },
  };
}

/** A slow database counts as unavailable. */
async function isResponding(db: ReadableDb): Promise<boolean> {
  const response = sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  );
  return await Promise.race([response, delay(timeoutMs, false, { ref: false })]);
}
