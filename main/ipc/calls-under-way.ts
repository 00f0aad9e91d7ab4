import { setTimeout as delay } from "node:timers/promises";
import { findChannel } from "../../core/contract/desktop.ts";
import type { Handle } from "./handle.ts";

/** Maximum time that shutdown waits for calls of pages [ms]. */
const graceMs = 10_000;

export type CallsUnderWay = {
  readonly call: Handle;
  longCalls(): number;
  finish(): Promise<void>;
};

export function createCallsUnderWay(handle: Handle): CallsUnderWay {
  const underWay = new Map<Promise<unknown>, string>();
  return {
    call(channel, request, session) {
      const answer = handle(channel, request, session);
      underWay.set(answer, channel);
      void answer.finally(() => underWay.delete(answer));
      return answer;
    },
    longCalls: () => [...underWay.values()].filter((channel) => findChannel(channel)?.isLong).length,
    async finish() {
      const grace = new AbortController();
      const tooLong = delay(graceMs, undefined, { signal: grace.signal }).catch(() => undefined);
      await Promise.race([Promise.all(underWay.keys()), tooLong]);
      grace.abort();
    },
  };
}
