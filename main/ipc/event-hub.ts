import { AsyncLocalStorage } from "node:async_hooks";
import type { DesktopEvent } from "../../core/contract/desktop/events.ts";
import type { Log } from "../services/measuring/service-context.ts";

export type EventHub = {
  publish(event: DesktopEvent): void;
  /**
   * @param admits  whether the listener may receive an event; the order of events is preserved
   * @returns       a function that ends the subscription
   */
  subscribe(listener: (event: DesktopEvent) => void, admits?: (event: DesktopEvent) => Promise<boolean>): () => void;
};

export function createEventHub(log: Log): EventHub {
  const listeners = new Set<(event: DesktopEvent) => void>();
  const warn = (error: unknown, { name }: DesktopEvent) =>
    log.warn({ error, event: name }, "an event could not be delivered to a page");
  // Runs listeners outside the publisher's async context: its transaction and acting user do not apply to them.
  const apart = AsyncLocalStorage.snapshot();
  const deliver = (listener: (event: DesktopEvent) => void, event: DesktopEvent) => {
    try {
      apart(listener, event);
    } catch (error) {
      warn(error, event);
    }
  };
  return {
    publish(event) {
      for (const listener of listeners) deliver(listener, event);
    },
    subscribe(listener, admits) {
      let last = Promise.resolve();
      const deliverIfAdmitted = (event: DesktopEvent) => {
        last = last
          .then(async () => {
            if ((await admits?.(event)) && listeners.has(deliverIfAdmitted)) deliver(listener, event);
          })
          .catch((error: unknown) => warn(error, event));
      };
      const added = admits ? deliverIfAdmitted : listener;
      listeners.add(added);
      return () => void listeners.delete(added);
    },
  };
}
