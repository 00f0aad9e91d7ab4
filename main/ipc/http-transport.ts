import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { desktopRoutes } from "../../core/contract/desktop.ts";
import { noteRefusal } from "../services/people/refusals.ts";
import { pageDir } from "../program.ts";
import { answerToFailure, json, registerAppRoutes, takeBodiesAsBytes } from "./app-routes.ts";
import type { Desktop } from "./desktop.ts";
import { registerHandOver } from "./hand-over-route.ts";
import { readPageFiles } from "./page/page-files.ts";

const signInSchema = z.object({ token: z.string().max(200) });

/** A sign-in is a token and nothing else [bytes]. */
const signInLimitBytes = 4096;

/**
 * The page in a browser: its files at `/`, calls, events and bytes below `/app`. Everything below `/app` needs the
 * session cookie and a request that comes from the page itself.
 *
 * @param pageFolder  the built page
 * @returns           path and fragment of the page with the one-time token that is good at that moment
 */
export async function registerDesktopRoutes(
  app: FastifyInstance,
  desktop: Desktop,
  pageFolder = pageDir,
): Promise<{ signInPath(): string }> {
  const closing = new AbortController();
  const answerPage = readPageFiles(pageFolder);
  await app.register(async (page) => {
    takeBodiesAsBytes(page);
    // The user's own window would fill the log of what other programs ask.
    page.addHook("onRoute", (route) => {
      route.config = { ...route.config, isOwnPage: true };
    });
    // A page that listens for events would hold the service back until its patience is over.
    page.addHook("preClose", async () => closing.abort());
    page.post(
      desktopRoutes.signIn,
      {
        bodyLimit: signInLimitBytes,
        errorHandler: (error, request, reply) =>
          void reply.send(
            isOfFastify(error) ? refuse(new AppError("NOT_SIGNED_IN")) : answerToFailure(error, desktop, request),
          ),
      },
      async (request, reply) => reply.send(await signIn(desktop, request)),
    );
    await registerHandOver(page, desktop);
    await page.register(async (signedIn) => {
      signedIn.addHook("onRequest", async (request) => assertOwnPage(desktop, request));
      registerAppRoutes(signedIn, desktop, {
        closing: closing.signal,
        sessionOf: (request) => sessionOf(desktop, request),
      });
    });
    page.get("/", (_request, reply) => reply.send(answerPage("/")));
    for (const route of ["/:file", "/assets/*"]) {
      page.get(route, async (request, reply) => {
        const answer = answerPage(pathOf(request));
        // An unknown path may be asked for by a program, so it gets the service's own kind of answer.
        if (!answer.ok) throw new AppError("NOT_FOUND");
        return reply.send(answer);
      });
    }
  });
  return { signInPath: () => desktop.pageSessions.signInPath() };
}

async function signIn(desktop: Desktop, request: FastifyRequest): Promise<Response> {
  if (!isSameOrigin(request)) return refuse(new AppError("FOREIGN_SENDER"));
  const token = tokenIn(request.body);
  const cookie = token === null ? null : desktop.pageSessions.signIn(token);
  if (cookie === null) {
    await noteRefusal(desktop.current().context, "page.refused");
    return refuse(new AppError("NOT_SIGNED_IN"));
  }
  const response = json({ ok: true, value: {} });
  response.headers.append("set-cookie", cookie);
  return response;
}

/** The token that was sent; null where something else was. */
function tokenIn(body: unknown): string | null {
  try {
    return signInSchema.parse(JSON.parse(new TextDecoder().decode(body as Uint8Array))).token;
  } catch {
    return null;
  }
}

/** Whether Fastify refused the request itself: whatever was sent, it is not a valid token. */
function isOfFastify(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("FST_");
}

function refuse({ code, message, status }: AppError): Response {
  return json({ ok: false, code, message }, status);
}

/** @throws AppError FOREIGN_SENDER, NOT_SIGNED_IN */
function assertOwnPage(desktop: Desktop, request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw new AppError("FOREIGN_SENDER");
  sessionOf(desktop, request);
}

/** Which browser asks. @throws AppError NOT_SIGNED_IN */
function sessionOf(desktop: Desktop, request: FastifyRequest): string {
  const session = desktop.pageSessions.sessionOf(request.headers.cookie);
  if (session === null) throw new AppError("NOT_SIGNED_IN");
  return session;
}

/** Browsers say where a request comes from; other programs say nothing and have no cookie. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin === undefined || [`https://${headers.host}`, `http://${headers.host}`].includes(headers.origin);
}

function pathOf(request: FastifyRequest): string {
  return new URL(request.url, "https://localhost").pathname;
}
