import type { DesktopAnswer } from "../../../core/contract/desktop.ts";
import type { DesktopEvent } from "../../../core/contract/desktop/events.ts";
import { desktopRoutes } from "../../../core/contract/desktop/routes.ts";
import { fetchOrOffline, type Connection } from "../../state/connection.ts";

const retryMs = 3000;
/** Event of the window after a sign-in, with which a refused stream of events is opened again at once. */
const signedInEvent = "corvet-signed-in";

/** Connection of a page in a browser: calls by POST, events by Server-Sent Events, both on the page's own origin. */
export const httpConnection: Connection = {
  kind: "browser",
  call: async <T>(channel: string, request: unknown) => {
    const headers = { "content-type": "application/json" };
    const response = await fetchOrOffline(() =>
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
        // The browser reconnects by itself after an interruption, but not after an error response.
        if (source.readyState === EventSource.CLOSED) retry = window.setTimeout(open, retryMs);
      });
    };
    open();
    const reopen = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(retry);
      open();
    };
    window.addEventListener(signedInEvent, reopen);
    return () => {
      window.removeEventListener(signedInEvent, reopen);
      clearTimeout(retry);
      source.close();
    };
  },
};

/** Exchanges the one-time token in the address's fragment for the session cookie and removes it from the address. */
export async function signIn(): Promise<void> {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("t");
  if (!token) return;
  history.replaceState(null, "", window.location.pathname);
  const headers = { "content-type": "application/json" };
  await fetchOrOffline(() => fetch(desktopRoutes.signIn, { method: "POST", headers, body: JSON.stringify({ token }) }));
  window.dispatchEvent(new Event(signedInEvent));
}
