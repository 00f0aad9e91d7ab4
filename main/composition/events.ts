import { createEventHub, type EventHub } from "../ipc/event-hub.ts";
import { createDomainEvents, type DomainEvents } from "../services/domain-events.ts";
import type { Log } from "../services/measuring/service-context.ts";

/** Domain events, and the events of this program's pages, which include every domain event. */
export type Events = { readonly domain: DomainEvents; readonly pages: EventHub };

export function createEvents(log: Log): Events {
  const domain = createDomainEvents();
  const pages = createEventHub(log);
  domain.subscribe((event) => pages.publish(event));
  return { domain, pages };
}
