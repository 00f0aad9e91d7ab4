import type { DesktopAnswer, DesktopEvent } from "../../core/contract/desktop.ts";
import type { DesktopContext } from "../services/desktop/desktop-context.ts";
import type { Fault } from "../services/measuring/service-context.ts";
import type { DesktopParts } from "./handlers.ts";
import type { PageSessions } from "./page/page-sessions.ts";

export type Desktop = {
  readonly context: DesktopContext;
  readonly parts: DesktopParts;
  readonly pageSessions: PageSessions;
  /** Runs a call of a page. The transport has checked the page; `session` identifies it. */
  call(channel: string, request: unknown, session: string): Promise<DesktopAnswer<unknown>>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: DesktopEvent) => void): () => void;
  /** The same for a page. Before sign-in it receives `session.changed` only. */
  subscribePage(session: string, listener: (event: DesktopEvent) => void): () => void;
  /**
   * Services for a page's request: on the store, or on a temporary one while the practice's database is away. Read once
   * per request, which ends on the store on which it began.
   */
  current(): DesktopParts;
  /** Reads the settings and users that pages use while the practice's database is away. */
  rememberSettings(): Promise<void>;
  /** Switches to the temporary store while the practice's database is away, and back. */
  setDatabaseAway(isAway: boolean): Promise<void>;
  /** Whether a page or the window is subscribed. */
  hasPage(): boolean;
  openPaths(paths: readonly string[]): Promise<void>;
  /** Reloads the packs if the publishers changed, in the background. */
  reloadPublishers(): void;
  reportFault(fault: Fault): void;
  /** Measures pending films and starts the receivers. */
  start(): Promise<void>;
  /** Stops; a film that is being measured is pending again at the next start. */
  close(): Promise<void>;
};
