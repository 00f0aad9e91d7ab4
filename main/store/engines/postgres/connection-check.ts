import { Client, DatabaseError, type PoolClient } from "pg";
import { HostClient, type HostPool } from "./host-client.ts";

/**
 * Delay until a second connection checks whether the server still works on a query, interval between checks, timeout of
 * a check [ms], and failed checks after which the connection is closed: one slow check is tolerated.
 */
const patience = { firstMs: 5000, againMs: 5000, answerMs: 5000, silences: 2 };

/**
 * Checks the state of this connection's query on the server: "expected" while the server works on it, "astray" if the
 * server is idle, so the result was lost, "silence" if the server is unreachable. Counts as expected if the process is
 * not found (behind a connection pooler) or the server has no free connection.
 */
async function askAbout(pool: HostPool, client: PoolClient): Promise<"expected" | "astray" | "silence"> {
  // Spreading the pool's options omits the password.
  const { password } = pool.options;
  const limits = { connectionTimeoutMillis: patience.answerMs, query_timeout: patience.answerMs };
  const host = client instanceof HostClient ? client.at : pool.options.hosts.current();
  const beside = new Client({ ...pool.options, ...host, ...(password !== undefined && { password }), ...limits });
  beside.on("error", () => undefined);
  try {
    await beside.connect();
    const { rows } = await beside.query(
      `SELECT state FROM pg_stat_activity WHERE pid = $1 AND usename = current_user AND datname = current_database()
         AND state LIKE 'idle%' AND state_change < clock_timestamp() - interval '1 second'`,
      [processOf(client)],
    );
    return rows.length === 0 ? "expected" : "astray";
  } catch (error) {
    return error instanceof DatabaseError ? "expected" : "silence";
  } finally {
    void beside.end().catch(() => undefined);
  }
}

/** Server process of a connection; missing in the driver's types. */
function processOf(client: PoolClient): number | null {
  return "processID" in client && typeof client.processID === "number" ? client.processID : null;
}

/**
 * Closes a connection whose query is pending although the server has finished it: the network has lost the result,
 * which otherwise only the query's timeout would detect.
 *
 * @returns stops the checks; call it once the query has settled
 */
export function watchAnswer(pool: HostPool, client: PoolClient): () => void {
  let isAnswered = false;
  let timer: NodeJS.Timeout | undefined = undefined;
  let silences = 0;
  const look = async () => {
    const said = await askAbout(pool, client);
    if (isAnswered) return;
    silences = said === "silence" ? silences + 1 : 0;
    // Closing the connection rejects the pending query at once.
    if (said === "astray" || silences >= patience.silences) await client.end().catch(() => undefined);
    else wait(said === "silence" ? 0 : patience.againMs);
  };
  const wait = (ms: number) => {
    timer = setTimeout(() => void look(), ms);
    timer.unref();
  };
  wait(patience.firstMs);
  return () => {
    isAnswered = true;
    clearTimeout(timer);
  };
}
