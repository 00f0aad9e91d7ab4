import { sql } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import { because, reasonInEnglish } from "../../../../core/app-error.ts";
import type { ReadableDb } from "../../../store/database.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import type { Troubles } from "../troubles.ts";

/** Interval of queries, and their timeout [ms]. */
const askEveryMs = 2000;
const answerWithinMs = 4000;

export type DatabaseWatch = { stop(): Promise<void> };

const away = because("databaseAway");

/**
 * Queries the database every other second and raises a trouble while it does not respond.
 *
 * @param onChange  awaited before pages are informed; repeated if it fails
 */
export function startDatabaseWatch(
  { db, log }: Pick<ServiceContext, "db" | "log">,
  troubles: Troubles,
  onChange: (isAway: boolean) => Promise<void>,
  everyMs = askEveryMs,
): DatabaseWatch {
  const stopping = new AbortController();
  let isAway = false;
  const look = async () => {
    const isNowAway = !(await doesAnswer(db));
    if (isNowAway === isAway || stopping.signal.aborted) return;
    await onChange(isNowAway);
    isAway = isNowAway;
    if (isAway) troubles.raise({ code: "STORE_UNAVAILABLE", message: reasonInEnglish(away), reason: away });
    else troubles.clear("STORE_UNAVAILABLE");
  };
  const watch = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log.error({ error }, "the watch over the database failed"));
      await delay(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const watching = watch();
  return {
    stop() {
      stopping.abort();
      return watching;
    },
  };
}

/** A slow database counts as unavailable. */
async function doesAnswer(db: ReadableDb): Promise<boolean> {
  const asked = sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  );
  return await Promise.race([asked, delay(answerWithinMs, false, { ref: false })]);
}
