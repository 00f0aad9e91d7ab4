import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Bus, BusListener } from "../bus.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { listenWhileConnected } from "./postgres-listening.ts";

const channel = "corvet";
/** Pauses between attempts to connect [ms]; the last one repeats. */
const pausesMs = [200, 1000, 2000, 5000, 10_000] as const;
/** More messages are replaced by one notice. */
const mostQueued = 1000;
const dropped = "*";

/** Uses LISTEN and NOTIFY on a dedicated connection that is reopened whenever it is lost. */
export function createPostgresBus(address: PostgresAddress, machineId: string): Bus {
  const outgoing = createOutgoing(machineId);
  const receive = (payload: string, listener: BusListener) => {
    const [from, text] = [payload.slice(0, machineId.length), payload.slice(machineId.length + 1)];
    if (from === machineId) return;
    if (text === dropped) listener.missed();
    else listener.received(text);
  };
  const stayConnected = async (listener: BusListener, signal: AbortSignal, onFirst: () => void) => {
    const about = { channel, ownChannel: `corvet.${machineId}`, signal };
    let [isFirst, isReported, failures] = [true, false, 0];
    while (!signal.aborted) {
      const { hasEcho, cause } = await listenWhileConnected(address, {
        ...about,
        onMessage: (payload) => receive(payload, listener),
        onListening(client) {
          outgoing.sendBy(client);
          if (!isFirst) listener.missed();
          onFirst();
        },
      });
      outgoing.sendBy(null);
      onFirst();
      if (signal.aborted) return;
      if (hasEcho || !isReported) listener.away(cause);
      isReported = true;
      isFirst = false;
      failures = hasEcho ? 0 : failures + 1;
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)];
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  return {
    send: outgoing.add,
    async listen(listener) {
      const closing = new AbortController();
      const first = Promise.withResolvers<undefined>();
      const listening = stayConnected(listener, closing.signal, () => first.resolve(undefined));
      await first.promise;
      return async () => {
        await outgoing.settled();
        closing.abort();
        await listening;
      };
    },
  };
}

/** Sends messages in batches and keeps them while there is no connection. */
function createOutgoing(machineId: string) {
  const queued = new Set<string>();
  let connection: Client | null = null;
  let isSending = false;
  let sending = Promise.resolve();
  const enqueue = (text: string) => {
    queued.add(text);
    if (queued.size <= mostQueued) return;
    queued.clear();
    queued.add(dropped);
  };
  const send = async (client: Client, texts: readonly string[]) => {
    try {
      const sent = texts.map((text) => `${machineId} ${text}`);
      await client.query("SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text", [channel, sent]);
    } catch {
      // Keep the messages for the next connection, which opens after this one ends. Duplicates do no harm.
      if (connection === client) connection = null;
      texts.forEach(enqueue);
      client.end().catch(() => undefined);
    } finally {
      isSending = false;
    }
    sendNext();
  };
  const sendNext = () => {
    if (isSending || connection === null || queued.size === 0) return;
    isSending = true;
    const texts = [...queued];
    queued.clear();
    sending = send(connection, texts);
  };
  return {
    add(text: string) {
      enqueue(text);
      sendNext();
    },
    sendBy(client: Client | null) {
      connection = client;
      sendNext();
    },
    async settled() {
      while (isSending) await sending;
    },
  };
}
