import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { PostgresAddress } from "./postgres-address.ts";
import { HostClient } from "./host-client.ts";

const limits = { connectionTimeoutMillis: 5000, query_timeout: 5000 };
/** Interval of the echo messages and their timeout [ms]. */
const [echoEveryMs, echoWithinMs] = [5000, 5000] as const;
/** A network that drops packets never confirms the end of a connection [ms]. */
const endWithinMs = 500;

type Listening = {
  readonly channel: string;
  /** Used by this program alone. */
  readonly ownChannel: string;
  readonly signal: AbortSignal;
  onListening(client: Client): void;
  onMessage(payload: string): void;
};

/**
 * Receives messages for as long as the connection delivers them, which echo messages verify: a network that drops
 * packets or a connection pooler without LISTEN would not be detected otherwise.
 *
 * @returns once delivery has ended: the cause, and whether any echo message arrived
 */
export async function listenWhileConnected(
  address: PostgresAddress,
  { channel, ownChannel, signal, onListening, onMessage }: Listening,
): Promise<{ readonly hasEcho: boolean; readonly cause: unknown }> {
  const client = new HostClient({ ...address, ...limits, application_name: "corvet", keepAlive: true });
  const lost = lossOf(client, signal);
  let onEcho: () => void = () => undefined;
  client.on("notification", (message) =>
    message.channel === ownChannel ? onEcho() : onMessage(message.payload ?? ""),
  );
  let hasEcho = false;
  try {
    await Promise.race([client.connect(), lost]);
    await client.query(`LISTEN ${channel}; LISTEN "${ownChannel}"`);
    onListening(client);
    for (;;) {
      const echo = new Promise<void>((resolve) => (onEcho = resolve));
      await client.query("SELECT pg_notify($1, '')", [ownChannel]);
      await Promise.race([echo, lost, tooLate()]);
      hasEcho = true;
      await Promise.race([delay(echoEveryMs, undefined, { ref: false }), lost]);
    }
  } catch (cause) {
    return { hasEcho, cause };
  } finally {
    await Promise.race([client.end().catch(() => undefined), delay(endWithinMs)]);
  }
}

/** Never resolves; rejects when the connection is lost or `signal` aborts. */
function lossOf(client: Client, signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const abort = () => reject(new Error("the program ends"));
  client.on("error", reject);
  client.on("end", () => {
    signal.removeEventListener("abort", abort);
    reject(new Error("the connection ended"));
  });
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return promise;
}

async function tooLate(): Promise<never> {
  await delay(echoWithinMs, undefined, { ref: false });
  throw new Error("the echo message did not arrive in time");
}
