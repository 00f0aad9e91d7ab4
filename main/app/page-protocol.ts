import type { Protocol, Session } from "electron";
import { createAppResponder } from "../ipc/app-responder.ts";
import type { Desktop } from "../ipc/desktop.ts";
import { readPageFiles } from "../ipc/page/page-files.ts";
import { isOwnPage, pageScheme } from "./own-page.ts";

/** Makes the page's scheme an origin like https. Must run before the application is ready. */
export function registerPageScheme(protocol: Pick<Protocol, "registerSchemesAsPrivileged">): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/**
 * Answers the page's requests: its files, and below /app the same routes that a browser has. Calls and events come by
 * IPC.
 */
export function answerPageScheme(session: Session, desktop: Desktop, pageFolder: string): void {
  const answerApp = createAppResponder(desktop);
  const answerPage = readPageFiles(pageFolder);
  session.protocol.handle(pageScheme, async (request) => {
    if (!isOwnPage(request.url)) return new Response(null, { status: 404 });
    const { pathname } = new URL(request.url);
    return pathname.startsWith("/app/") ? answerApp(request) : answerPage(pathname);
  });
}

/** Blocks all remote content, including requests of a compromised page. Must run before the first window opens. */
export function blockRemoteContent(session: Pick<Session, "webRequest" | "setSpellCheckerLanguages">): void {
  // Chromium downloads the dictionary of each language from Google, past all handlers: docs/tutorial/spellchecker.md
  session.setSpellCheckerLanguages([]);
  const allowed = new Set([`${pageScheme}:`, "blob:", "data:", "devtools:"]);
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !URL.canParse(url) || !allowed.has(new URL(url).protocol) }),
  );
}
