import type { Pool, PoolClient, QueryResult } from "pg";
import { faultOf, isConnectionLost } from "./postgres-faults.ts";

/** A connection of a pool for as long as somebody has it. */
export type Session = {
  /** @throws AppError STORE_UNAVAILABLE, STORE_BUSY, DISK_FULL; DatabaseError for what a question itself is refused for */
  ask(sql: string, parameters?: readonly unknown[]): Promise<QueryResult>;
  /** Whether the connection is of no more use. */
  isLost(): boolean;
  /** Takes back what was not committed, whatever has become of the connection. */
  rollBack(): Promise<void>;
  /** Gives it back, or away where it is of no more use. */
  end(): void;
};

/**
 * Takes a connection and asks a first question on it. Each that was lost while nobody used it, as when the database was
 * started anew, is replaced by another.
 *
 * @param place  the database as people may see it
 * @throws as `ask`
 */
export async function openSession(
  pool: Pool,
  place: string,
  sql: string,
  parameters?: readonly unknown[],
): Promise<{ readonly session: Session; readonly answer: QueryResult }> {
  const isKnown = pool.idleCount > 0;
  const session = sessionOn(await connect(pool, place), place);
  try {
    return { session, answer: await session.ask(sql, parameters) };
  } catch (error) {
    await session.rollBack();
    session.end();
    // nothing was done yet
    if (isKnown && session.isLost()) return await openSession(pool, place, sql, parameters);
    throw error;
  }
}

async function connect(pool: Pool, place: string): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw faultOf(error, place);
  }
}

function sessionOn(client: PoolClient, place: string): Session {
  let isLost = false;
  const ask: Session["ask"] = async (sql, parameters = []) => {
    try {
      const answer: QueryResult | QueryResult[] = await client.query(sql, [...parameters]);
      return Array.isArray(answer) ? answer.at(-1) : answer;
    } catch (error) {
      isLost ||= isConnectionLost(error);
      throw faultOf(error, place);
    }
  };
  return {
    ask,
    isLost: () => isLost,
    async rollBack() {
      if (isLost) return;
      await ask("ROLLBACK").catch(() => {
        isLost = true;
      });
    },
    end: () => client.release(isLost),
  };
}
