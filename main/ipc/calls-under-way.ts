import { setTimeout as delay } from "node:timers/promises";
import type { Handle } from "./handle.ts";

/** How long the program's end waits for what pages have asked for [ms]. */
const graceMs = 10_000;

/** Calls of pages, and a way to wait for those that are under way. */
export function createCallsUnderWay(handle: Handle): { readonly call: Handle; finish(): Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  return {
    call(channel, request, session) {
      const answer = handle(channel, request, session);
      underWay.add(answer);
      void answer.finally(() => underWay.delete(answer));
      return answer;
    },
    async finish() {
      const patience = new AbortController();
      const tooLong = delay(graceMs, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([Promise.all(underWay), tooLong]);
      patience.abort();
    },
  };
}
