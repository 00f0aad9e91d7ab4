import { sql } from "kysely";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb } from "../connection.ts";

/**
 * Asserts that no other Corvet is connected to a PostgreSQL database. Call it on this program's first connection: of
 * two that connect together, the later one fails.
 *
 * @param place  the database as shown to users
 * @throws AppError STORE_BUSY
 */
export async function assertNoOtherProgram(db: ReadableDb, place: string): Promise<void> {
  const found = sql<{ others: number }>`SELECT count(*) AS others FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'corvet' AND backend_start <
      (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())`;
  const [{ others } = { others: 0 }] = (await found.execute(db)).rows;
  if (others === 0) return;
  throw new AppError(
    "STORE_BUSY",
    `Corvet is connected to ${place} (${others} connections). Stop it everywhere first.`,
  );
}
