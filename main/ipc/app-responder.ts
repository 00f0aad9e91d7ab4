import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import Fastify, { type HTTPMethods } from "fastify";
import { desktopRoutes, uploadHeader } from "../../core/contract/desktop/routes.ts";
import { errorCatalogue } from "../../core/contract/error-catalogue.ts";
import { ownWindow } from "../services/people/person-sessions.ts";
import { registerAppRoutes } from "./app-routes.ts";
import type { Desktop } from "./desktop.ts";
import { webStreamOf } from "./web-stream.ts";

/** Serves the routes below /app without a socket, for Electron's custom protocol. Events use another transport. */
export function createAppResponder(desktop: Desktop): (request: Request) => Promise<Response> {
  const app = Fastify({ routerOptions: { maxParamLength: 200 } });
  const uploads = new Map<string, AbortController>();
  app.addHook("onRequest", async ({ raw, headers }, reply) => {
    const cancelled = uploads.get(String(headers[uploadHeader]))?.signal;
    const end = () => {
      raw.destroy();
      reply.raw.destroy();
    };
    if (cancelled?.aborted) end();
    else cancelled?.addEventListener("abort", end);
  });
  registerAppRoutes(app, desktop, {
    closing: new AbortController().signal,
    sessionOf: () => ownWindow,
  });
  const respond = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const answer = await app.inject({
      method: request.method as HTTPMethods,
      url: pathname + search,
      ...(request.body && {
        payload: Readable.fromWeb(request.body as ReadableStream),
        // Electron's requests have neither length nor type. Without either, Fastify would ignore the body.
        headers: {
          "content-type": "application/octet-stream",
          [uploadHeader]: request.headers.get(uploadHeader) ?? "",
        },
      }),
      signal: request.signal,
      // An export may not fit in memory.
      payloadAsStream: true,
    });
    const content = answer.stream();
    // Releases the response's resources when the page stops reading.
    content.once("close", () => answer.raw.res.destroy());
    return new Response(webStreamOf(content), {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    });
  };
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === desktopRoutes.cancelUpload) {
      uploads.get(searchParams.get("upload") ?? "")?.abort();
      return new Response(null, { status: 204 });
    }
    const upload = request.headers.get(uploadHeader);
    if (upload === null) return respond(request);
    const cancelling = new AbortController();
    uploads.set(upload, cancelling);
    try {
      return await respond(request);
    } catch (error) {
      if (!cancelling.signal.aborted) throw error;
      // The page no longer waits for a response.
      return new Response(null, { status: errorCatalogue.ABORTED.status });
    } finally {
      uploads.delete(upload);
    }
  };
}
