import { sql } from "kysely";
import { setTimeout as delay } from "node:timers/promises";
import { because, reasonInEnglish } from "../../../../core/app-error.ts";
import type { ReadableDb } from "../../../store/database.ts";
import { createRepeatedLook } from "../../desktop/repeated-look.ts";
import type { ServiceContext } from "../../measuring/service-context.ts";
import type { Troubles } from "../troubles.ts";

/** Interval of queries, and their timeout [ms]. */
const askEveryMs = 2000;
const answerWithinMs = 4000;

export type DatabaseWatch = { stop(): Promise<void> };

const away = because("databaseAway");

/**
 * Queries the database every two seconds and raises a trouble while it does not respond.
 *
 * @param onChange  awaited before the trouble is raised or cleared; repeated if it fails
 */
export function startDatabaseWatch(
  { db, log }: Pick<ServiceContext, "db" | "log">,
  troubles: Troubles,
  onChange: (isAway: boolean) => Promise<void>,
  everyMs = askEveryMs,
): DatabaseWatch {
  let [isAway, isStopped] = [false, false];
  const look = async () => {
    const isNowAway = !(await doesAnswer(db));
    if (isNowAway === isAway || isStopped) return;
    await onChange(isNowAway);
    isAway = isNowAway;
    if (isAway) troubles.raise({ code: "STORE_UNAVAILABLE", message: reasonInEnglish(away), reason: away });
    else troubles.clear("STORE_UNAVAILABLE");
  };
  const looks = createRepeatedLook(look, everyMs, (error) => log.error({ error }, "the check of the database failed"));
  void looks.look();
  looks.start();
  return {
    stop() {
      isStopped = true;
      return looks.close();
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
