import type { Pool, PoolClient, QueryResult } from "pg";
import { connectToAnyHost, type HostPool } from "./host-client.ts";
import { watchQuery } from "./connection-check.ts";
import { faultOf, isConnectionLost } from "./postgres-faults.ts";

const lastUsedMs = new WeakMap<PoolClient, number>();
/** Time until which a pool's database counts as unavailable, and why. */
const closed = new WeakMap<Pool, { readonly untilMs: number; readonly fault: unknown }>();

export type Session = ReturnType<typeof sessionOn>;

/** Takes a connection and runs a first query on it. Replaces idle connections that were lost. @throws as `execute` */
export async function openSession(
  pool: HostPool,
  place: string,
  sql: string,
  parameters?: readonly unknown[],
): Promise<{ readonly session: Session; readonly result: QueryResult }> {
  const isKnown = pool.idleCount > 0;
  const client = await connect(pool, place);
  const session = sessionOn(pool, client, place);
  try {
    await session.assertThere();
    return { session, result: await session.execute(sql, parameters) };
  } catch (error) {
    await session.rollBack();
    session.end();
    // No query has run yet, so retrying is safe.
    if (!isKnown || !session.isLost()) throw error;
    await endIdle(pool);
    return await openSession(pool, place, sql, parameters);
  }
}

async function connect(pool: HostPool, place: string): Promise<PoolClient> {
  const atMs = performance.now();
  const { untilMs = 0, fault: known } = closed.get(pool) ?? {};
  if (atMs < untilMs && pool.idleCount === 0) throw known;
  try {
    return await connectToAnyHost(pool);
  } catch (error) {
    const fault = faultOf(error, place);
    const nowMs = performance.now();
    const isFull = pool.totalCount >= pool.options.max;
    const { slowMs, closedMs } = pool.options.timeouts;
    if (!isFull && nowMs - atMs > slowMs) closed.set(pool, { untilMs: nowMs + closedMs, fault });
    throw fault;
  }
}

async function endIdle(pool: Pool): Promise<void> {
  for (let left = pool.idleCount; left > 0 && pool.idleCount > 0; left -= 1) (await pool.connect()).release(true);
}

function sessionOn(pool: HostPool, client: PoolClient, place: string) {
  let isLost = false;
  const query = async (sql: string, parameters: readonly unknown[], limit: { readonly query_timeout?: number }) => {
    // Queries without a timeout are not watched.
    const endWatch = pool.options.query_timeout === undefined ? null : watchQuery(pool, client);
    try {
      const result: QueryResult | QueryResult[] = await client.query({ text: sql, values: [...parameters], ...limit });
      return Array.isArray(result) ? result.at(-1) : result;
    } catch (error) {
      isLost ||= isConnectionLost(error);
      throw faultOf(error, place);
    } finally {
      endWatch?.();
    }
  };
  const execute = (sql: string, parameters: readonly unknown[] = []): Promise<QueryResult> =>
    query(sql, parameters, {});
  return {
    /** @throws AppError STORE_UNAVAILABLE, STORE_BUSY, DISK_FULL; DatabaseError if the query is at fault */
    execute,
    async assertThere() {
      const usedMs = lastUsedMs.get(client);
      const { quietMs, checkMs } = pool.options.timeouts;
      if (usedMs !== undefined && performance.now() - usedMs > quietMs)
        await query("SELECT 1", [], { query_timeout: checkMs });
    },
    isLost: () => isLost,
    async rollBack() {
      if (isLost) return;
      await execute("ROLLBACK").catch(() => {
        isLost = true;
      });
    },
    /** Returns the connection to the pool, or discards an unusable one. */
    end() {
      lastUsedMs.set(client, performance.now());
      client.release(isLost);
    },
  };
}
