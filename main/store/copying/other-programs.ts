import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb } from "../connection.ts";

/** Maximum wait for the server to end the connections of a program that has just stopped [ms]. */
const endedWithinMs = 2000;

/**
 * Asserts that no other Corvet is connected to a database; waits for one that is just ending. Call it on the first
 * connection of this program: of two that connect together, the later one fails.
 *
 * @param place  the database as shown to users
 * @throws AppError STORE_BUSY
 */
export async function assertNoOtherProgram(db: ReadableDb, place: string): Promise<void> {
  const lastMs = performance.now() + endedWithinMs;
  for (;;) {
    const others = await countOthers(db);
    if (others === 0) return;
    if (performance.now() > lastMs)
      throw new AppError(
        "STORE_BUSY",
        `Corvet is connected to ${place} (${others} connections). Stop it everywhere first.`,
      );
    await delay(100);
  }
}

async function countOthers(db: ReadableDb): Promise<number> {
  const found = sql<{ others: number }>`SELECT count(*) AS others FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'corvet' AND backend_start <
      (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())`;
  return (await found.execute(db)).rows[0]?.others ?? 0;
}
