import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { desktopRoutes } from "../../core/contract/desktop.ts";
import { pageDir } from "../program.ts";
import { createAppRoutes, json } from "./app-routes.ts";
import type { Desktop } from "./desktop.ts";
import { readPageFiles } from "./page-files.ts";
import { readBody } from "./read-body.ts";

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
  const answerApp = createAppRoutes(desktop);
  const closing = new AbortController();
  const answerPage = readPageFiles(pageFolder);
  await app.register(async (page) => {
    // Bodies are read by the routes themselves, which know how large each may be.
    page.removeAllContentTypeParsers();
    page.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    // The user's own window would fill the log of what other programs ask.
    page.addHook("onRoute", (route) => {
      route.config = { ...route.config, isOwnPage: true };
    });
    // A page that listens for events would hold the service back until its patience is over.
    page.addHook("preClose", async () => closing.abort());
    page.post(desktopRoutes.signIn, async (request, reply) =>
      send(reply, await signIn(desktop, toWebRequest(request, reply, closing.signal), request)),
    );
    page.all("/app/*", async (request, reply) => {
      const refusal = refusalOf(desktop, request);
      return send(reply, refusal ? refuse(refusal) : await answerApp(toWebRequest(request, reply, closing.signal)));
    });
    page.get("/", async (_request, reply) => send(reply, answerPage("/")));
    for (const route of ["/:file", "/assets/*"]) {
      page.get(route, async (request, reply) => {
        const answer = answerPage(pathOf(request));
        // Whoever asks for a path that is not there may be a program: it gets the service's own kind of answer.
        if (!answer.ok) throw new AppError("NOT_FOUND");
        return send(reply, answer);
      });
    }
  });
  return { signInPath: () => desktop.pageSessions.signInPath() };
}

async function signIn(desktop: Desktop, sent: Request, request: FastifyRequest): Promise<Response> {
  if (!isSameOrigin(request)) return refuse(new AppError("FOREIGN_SENDER"));
  const cookie = await cookieFor(desktop, sent);
  if (cookie === null) return refuse(new AppError("NOT_SIGNED_IN"));
  const response = json({ ok: true, value: {} });
  response.headers.append("set-cookie", cookie);
  return response;
}

async function cookieFor(desktop: Desktop, request: Request): Promise<string | null> {
  try {
    const body = new TextDecoder().decode(await readBody(request, signInLimitBytes));
    return desktop.pageSessions.signIn(signInSchema.parse(JSON.parse(body)).token);
  } catch {
    return null;
  }
}

function refuse({ code, message, status }: AppError): Response {
  return json({ ok: false, code, message }, status);
}

function refusalOf(desktop: Desktop, request: FastifyRequest): AppError | null {
  if (!isSameOrigin(request)) return new AppError("FOREIGN_SENDER");
  return desktop.pageSessions.isSignedIn(request.headers.cookie) ? null : new AppError("NOT_SIGNED_IN");
}

/** Browsers say where a request comes from; other programs say nothing and have no cookie. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin === undefined || [`https://${headers.host}`, `http://${headers.host}`].includes(headers.origin);
}

/**
 * The request as Electron's own protocol has it; aborted when the page goes away before the answer is written, or the
 * program ends.
 */
function toWebRequest(request: FastifyRequest, reply: FastifyReply, closing: AbortSignal): Request {
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  return new Request(new URL(request.url, "https://localhost"), {
    method: request.method,
    headers: { "content-length": request.headers["content-length"] ?? "0" },
    signal: AbortSignal.any([gone.signal, closing]),
    ...(hasBody && { body: Readable.toWeb(request.raw) as globalThis.ReadableStream<Uint8Array>, duplex: "half" }),
  });
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  return reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : null);
}

function pathOf(request: FastifyRequest): string {
  return new URL(request.url, "https://localhost").pathname;
}
