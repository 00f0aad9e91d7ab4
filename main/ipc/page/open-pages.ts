import type { DesktopEvent } from "../../../core/contract/desktop/events.ts";
import { ownWindow, type PersonSessions } from "../../services/people/person-sessions.ts";
import type { EventHub } from "../event-hub.ts";
import type { PageSessions } from "./page-sessions.ts";

export type OpenPages = {
  /** A page that requires sign-in receives `session.changed` only. @returns a function that ends the subscription */
  subscribe(session: string, listener: (event: DesktopEvent) => void): () => void;
  has(): boolean;
  /** Whether a page of the session is open and not locked. */
  isShown(session: string): Promise<boolean>;
};

/** @param onGone  called after a page closed */
export function createOpenPages(
  events: EventHub,
  pageSessions: PageSessions,
  sessions: PersonSessions,
  onGone: () => void,
): OpenPages {
  const pages = new Map<object, string>();
  const isShown = async (session: string) => [...pages.values()].includes(session) && (await sessions.isOpen(session));
  return {
    subscribe(session, listener) {
      const unsubscribe = events.subscribe(
        (event) => listener(withoutSession(event)),
        async (event) => {
          if (session !== ownWindow && !pageSessions.isGood(session)) return false;
          if (event.name === "openFilms.changed" && event.payload.session === session) return false;
          return event.name === "session.changed" || (await sessions.isOpen(session));
        },
      );
      const page = {};
      pages.set(page, session);
      return () => {
        pages.delete(page);
        unsubscribe();
        onGone();
      };
    },
    has: () => pages.size > 0,
    isShown,
  };
}

/** Removes the session, which identifies another user's page. */
function withoutSession(event: DesktopEvent): DesktopEvent {
  return event.name === "openFilms.changed" ? { ...event, payload: {} } : event;
}
