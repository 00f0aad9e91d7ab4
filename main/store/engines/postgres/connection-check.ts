import { Client, DatabaseError, type PoolClient } from "pg";
import { HostClient, type HostPool } from "./host-client.ts";

/** Failed checks after which the connection is closed: one slow check is tolerated. */
export const mostFailures = 2;

/**
 * "lost" if the server is idle because its result was lost, "unreachable" without a connection. Counts as expected if
 * the process is not found (behind a connection pooler) or the server has no free connection.
 */
async function stateOfQuery(pool: HostPool, client: PoolClient): Promise<"expected" | "lost" | "unreachable"> {
  // Spreading the pool's options omits the password.
  const { password } = pool.options;
  const { watchTimeoutMs } = pool.options.timeouts;
  const limits = { connectionTimeoutMillis: watchTimeoutMs, query_timeout: watchTimeoutMs };
  const host = client instanceof HostClient ? client.at : pool.options.hosts.current();
  const other = new Client({ ...pool.options, ...host, ...(password !== undefined && { password }), ...limits });
  other.on("error", () => undefined);
  try {
    await other.connect();
    const { rows } = await other.query(
      `SELECT state FROM pg_stat_activity WHERE pid = $1 AND usename = current_user AND datname = current_database()
         AND state LIKE 'idle%' AND state_change < clock_timestamp() - interval '1 second'`,
      [processOf(client)],
    );
    return rows.length === 0 ? "expected" : "lost";
  } catch (error) {
    return error instanceof DatabaseError ? "expected" : "unreachable";
  } finally {
    void other.end().catch(() => undefined);
  }
}

/** Server process of a connection; missing in the driver's types. */
function processOf(client: PoolClient): number | null {
  return "processID" in client && typeof client.processID === "number" ? client.processID : null;
}

/**
 * Closes a connection whose query is pending although the server has finished it, because the network has lost the
 * result.
 *
 * @returns stops the checks; call it once the query has settled
 */
export function watchQuery(pool: HostPool, client: PoolClient): () => void {
  const { watchAfterMs, watchEveryMs } = pool.options.timeouts;
  let isSettled = false;
  let timer: NodeJS.Timeout | undefined = undefined;
  let failures = 0;
  const check = async () => {
    const state = await stateOfQuery(pool, client);
    if (isSettled) return;
    failures = state === "unreachable" ? failures + 1 : 0;
    // Closing the connection rejects the pending query at once.
    if (state === "lost" || failures >= mostFailures) await client.end().catch(() => undefined);
    else wait(state === "unreachable" ? 0 : watchEveryMs);
  };
  const wait = (ms: number) => {
    timer = setTimeout(() => void check(), ms);
    timer.unref();
  };
  wait(watchAfterMs);
  return () => {
    isSettled = true;
    clearTimeout(timer);
  };
}
