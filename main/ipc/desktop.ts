import type { DesktopAnswer } from "../../core/contract/desktop.ts";
import type { DesktopEvent } from "../../core/contract/desktop/events.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import type { DesktopParts } from "./handlers.ts";
import type { PageSessions } from "./page/page-sessions.ts";

export type Desktop = {
  readonly context: DesktopContext;
  readonly parts: DesktopParts;
  readonly pageSessions: PageSessions;
  /** Runs a call of a page. The transport must have authenticated the page; `session` identifies it. */
  call(channel: string, request: unknown, session: string): Promise<DesktopAnswer<unknown>>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: DesktopEvent) => void): () => void;
  /** Subscribes a page. Before sign-in it receives `session.changed` only. */
  subscribePage(session: string, listener: (event: DesktopEvent) => void): () => void;
  /**
   * Services for a page's request: on the store, or on a temporary store while the practice's database is unavailable.
   * To be read once per request, so that a request uses the same store throughout.
   */
  current(): DesktopParts;
  /** Caches the settings and users for use while the practice's database is unavailable. */
  rememberSettings(): Promise<void>;
  /** Switches to the temporary store while the practice's database is unavailable, and back. */
  setDatabaseAway(isAway: boolean): Promise<void>;
  /** Whether a page or the window is subscribed. */
  hasPage(): boolean;
  openPaths(paths: readonly string[]): Promise<void>;
  /** Reloads the packs if the publishers changed, in the background. */
  reloadPublishers(): void;
  /** Measures pending films and starts the receivers. */
  start(): Promise<void>;
  /** Stops. A film that is being measured becomes pending again at the next start. */
  close(): Promise<void>;
};
