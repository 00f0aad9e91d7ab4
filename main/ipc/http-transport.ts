import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { desktopRoutes } from "../../core/contract/desktop.ts";
import { noteRefusal } from "../services/people/refusals.ts";
import { pageDir } from "../program.ts";
import { answerToFailure, json, registerAppRoutes, parseBodiesAsBytes } from "./app-routes.ts";
import type { Desktop } from "./desktop.ts";
import { registerRunningProgramRoute } from "./running-program-route.ts";
import { readPageFiles } from "./page/page-files.ts";

const signInSchema = z.object({ token: z.string().max(200) });

/** Far more than the token of a sign-in needs [bytes]. */
const signInLimitBytes = 4096;

/**
 * Registers the routes of the page in a browser: its files at `/`; calls, events and bytes below `/app`. Except for
 * sign-in and requests of a second start, they require the session cookie and a same-origin request.
 *
 * @param pageFolder  folder of the built page
 * @returns           function that returns path and fragment of the page with the current one-time token
 */
export async function registerDesktopRoutes(
  app: FastifyInstance,
  desktop: Desktop,
  pageFolder = pageDir,
): Promise<{ signInPath(): string }> {
  const closing = new AbortController();
  const answerPage = readPageFiles(pageFolder);
  await app.register(async (page) => {
    parseBodiesAsBytes(page);
    // The page's requests would fill the log, which is for those of other programs.
    page.addHook("onRoute", (route) => {
      route.config = { ...route.config, isOwnPage: true };
    });
    // Open event streams would delay the shutdown until the grace period ends.
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
    await registerRunningProgramRoute(page, desktop);
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
        // "/\\" is no URL.
        const path = URL.parse(request.url, "https://localhost")?.pathname;
        const answer = path === undefined ? null : answerPage(path);
        // A program may have requested an unknown path, so the error has the format of the API.
        if (!answer?.ok) throw new AppError("NOT_FOUND");
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

/** Token in the body of a sign-in; null if the body is invalid. */
function tokenIn(body: unknown): string | null {
  try {
    return signInSchema.parse(JSON.parse(new TextDecoder().decode(body as Uint8Array))).token;
  } catch {
    return null;
  }
}

/** Whether Fastify refused the request, which then has no valid token. */
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

/** Session of the browser that sent the request. @throws AppError NOT_SIGNED_IN */
function sessionOf(desktop: Desktop, request: FastifyRequest): string {
  const session = desktop.pageSessions.sessionOf(request.headers.cookie);
  if (session === null) throw new AppError("NOT_SIGNED_IN");
  return session;
}

/** Whether a request comes from the page. Browsers send its origin; other programs do not, and have no cookie. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin === undefined || [`https://${headers.host}`, `http://${headers.host}`].includes(headers.origin);
}
