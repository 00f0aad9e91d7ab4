import type { DesktopEvent } from "../../core/contract/desktop.ts";
import type { Log } from "../services/measuring/service-context.ts";

/** Passes events on to every page that listens. */
type EventHub = {
  publish(event: DesktopEvent): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: DesktopEvent) => void): () => void;
};

export function createEventHub(log: Log): EventHub {
  const listeners = new Set<(event: DesktopEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.warn({ error, event: event.name }, "a page could not be told");
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
