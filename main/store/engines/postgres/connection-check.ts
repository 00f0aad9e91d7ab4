import { Client, type Pool, type PoolClient } from "pg";

/**
 * How long a question may be under way before it is asked on another connection whether the server still works on it,
 * how often that is asked again, and how long the answer to it may take [ms].
 */
const patience = { firstMs: 5000, againMs: 5000, answerMs: 3000 };

/**
 * Whether the answer to a question of this connection is still to be expected. It is not where the server cannot be
 * asked on a connection of its own, or says that it has nothing to do for this one: then its answer went astray. Behind
 * a pool of connections the server does not know who is meant, and waits.
 */
async function isExpected(pool: Pool, client: PoolClient): Promise<boolean> {
  const limits = { connectionTimeoutMillis: patience.answerMs, query_timeout: patience.answerMs };
  const beside = new Client({ ...pool.options, ...limits });
  beside.on("error", () => undefined);
  try {
    await beside.connect();
    const { rows } = await beside.query(
      `SELECT state FROM pg_stat_activity WHERE pid = $1 AND usename = current_user AND datname = current_database()
         AND state LIKE 'idle%' AND state_change < clock_timestamp() - interval '1 second'`,
      [processOf(client)],
    );
    return rows.length === 0;
  } catch {
    return false;
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
export function watchAnswer(pool: Pool, client: PoolClient): () => void {
  let isAnswered = false;
  let timer: NodeJS.Timeout | undefined = undefined;
  const look = async () => {
    const isLost = !(await isExpected(pool, client));
    if (isAnswered) return;
    // With a question under way this ends the connection at once, and the question with it.
    if (isLost) await client.end().catch(() => undefined);
    else wait(patience.againMs);
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
