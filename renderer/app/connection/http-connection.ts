import type { DesktopAnswer, DesktopEvent } from "../../../core/contract/desktop.ts";
import { desktopRoutes } from "../../../core/contract/desktop/routes.ts";
import { reach, type Connection } from "../../state/connection.ts";

const retryMs = 3000;

/**
 * The connection of a page in a browser: calls by POST, events by Server-Sent Events, both on the page's own origin.
 */
export const httpConnection: Connection = {
  kind: "browser",
  call: async <T>(channel: string, request: unknown) => {
    const headers = { "content-type": "application/json" };
    const response = await reach(() =>
      fetch(`${desktopRoutes.call}/${channel}`, { method: "POST", headers, body: JSON.stringify(request) }),
    );
    const answer = (await response.json().catch(() => null)) as DesktopAnswer<T> | null;
    return answer ?? { ok: false, code: "INTERNAL", message: "Internal server error" };
  },
  subscribe: (listener, onLive) => {
    let source: EventSource;
    let retry = 0;
    const open = () => {
      source = new EventSource(desktopRoutes.events);
      source.addEventListener("message", (event: MessageEvent<string>) =>
        listener(JSON.parse(event.data) as DesktopEvent),
      );
      source.addEventListener("open", () => onLive(true));
      source.addEventListener("error", () => {
        onLive(false);
        // The browser connects again by itself after a break, but gives up for good when it is refused once.
        if (source.readyState === EventSource.CLOSED) retry = window.setTimeout(open, retryMs);
      });
    };
    open();
    return () => {
      clearTimeout(retry);
      source.close();
    };
  },
};

/** Exchanges the one-time token of the printed address for the session cookie and takes it out of the address. */
export async function signIn(): Promise<void> {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("t");
  if (!token) return;
  history.replaceState(null, "", window.location.pathname);
  const headers = { "content-type": "application/json" };
  await reach(() => fetch(desktopRoutes.signIn, { method: "POST", headers, body: JSON.stringify({ token }) }));
}
