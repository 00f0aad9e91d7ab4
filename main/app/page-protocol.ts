import type { Protocol, Session } from "electron";
import { createAppResponder } from "../ipc/app-responder.ts";
import type { Desktop } from "../ipc/desktop.ts";
import { readPageFiles } from "../ipc/page/page-files.ts";
import { isOwnPage, pageScheme } from "./own-page.ts";

/** Gives the page's scheme the privileges of https. Must be called before the application is ready. */
export function registerPageScheme(protocol: Pick<Protocol, "registerSchemesAsPrivileged">): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/** Serves the page's files and, below /app, the same routes as for a browser. */
export function answerPageScheme(session: Session, desktop: Desktop, pageFolder: string): void {
  const answerApp = createAppResponder(desktop);
  const answerPage = readPageFiles(pageFolder);
  session.protocol.handle(pageScheme, async (request) => {
    if (!isOwnPage(request.url)) return new Response(null, { status: 404 });
    const { pathname } = new URL(request.url);
    return pathname.startsWith("/app/") ? answerApp(request) : answerPage(pathname);
  });
}

/** Blocks all remote content, including requests of a compromised page. Must be called before a window opens. */
export function blockRemoteContent(session: Pick<Session, "webRequest" | "setSpellCheckerLanguages">): void {
  // Chromium downloads spelling dictionaries from Google, bypassing all handlers: docs/tutorial/spellchecker.md
  session.setSpellCheckerLanguages([]);
  const allowed = new Set([`${pageScheme}:`, "blob:", "data:", "devtools:"]);
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !URL.canParse(url) || !allowed.has(new URL(url).protocol) }),
  );
}
