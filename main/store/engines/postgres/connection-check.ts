import { Client, DatabaseError, type PoolClient } from "pg";
import { HostClient, type HostPool } from "./postgres-hosts.ts";

/**
 * How long a question may be under way before it is asked on another connection whether the server still works on it,
 * how often that is asked again, and how long the answer to it may take [ms]. A machine that is busy may once be slower.
 */
const patience = { firstMs: 5000, againMs: 5000, answerMs: 5000, silences: 2 };

/**
 * What the server says of a question of this connection: that its answer may be expected, or that it has nothing to do
 * for it, so that the answer went astray. Silence where the server is not reached. Behind a pool of connections it
 * does not know who is meant, and a server without a connection to spare cannot say: both count as expected.
 */
async function askAbout(pool: HostPool, client: PoolClient): Promise<"expected" | "astray" | "silence"> {
  // The pool keeps the password where copying its options does not see it.
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

/** Which process of the server a connection has; the driver's types leave it out. */
function processOf(client: PoolClient): number | null {
  return "processID" in client && typeof client.processID === "number" ? client.processID : null;
}

/**
 * Ends a connection whose question is under way while nobody works on it any longer: the network has lost it, and
 * without this only the question's time limit would notice.
 *
 * @returns ends the watch; the question has its answer
 */
export function watchAnswer(pool: HostPool, client: PoolClient): () => void {
  let isAnswered = false;
  let timer: NodeJS.Timeout | undefined = undefined;
  let silences = 0;
  const look = async () => {
    const said = await askAbout(pool, client);
    if (isAnswered) return;
    silences = said === "silence" ? silences + 1 : 0;
    // With a question under way this ends the connection at once, and the question with it.
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
