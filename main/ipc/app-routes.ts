import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { AppError } from "../../core/app-error.ts";
import { desktopContract, desktopRoutes, type DesktopAnswer } from "../../core/contract/desktop.ts";
import { filmSizeLimitBytes } from "../../core/contract/desktop/routes.ts";
import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";
import { filmOrigins, openedFiles } from "../../core/contract/desktop/films.ts";
import { captureCorners, captureSession } from "../../core/contract/desktop/capture.ts";
import type { ChannelPermission } from "../../core/contract/channel.ts";
import { runAsActor } from "../store/audit/acting.ts";
import { takeExport } from "../services/desktop/exports.ts";
import { readFilmImage } from "../services/desktop/film-images.ts";
import { filmPixels, type FilmPixels } from "../services/worklist/film-pixels.ts";
import { frameThumbnail, type OpenedFile } from "../services/worklist/films.ts";
import { importBytes } from "../services/import/import-files.ts";
import { importPack, listPacks, packSizeLimits } from "../services/program/packs.ts";
import type { FilmImage } from "../store/film-images/film-images.ts";
import { getFilm, type FilmRow } from "../store/films/films.ts";
import type { Desktop } from "./desktop.ts";
import { eventStream } from "./event-stream.ts";
import { answerOf } from "./handle.ts";
import { pageHeaders } from "./page/page-policy.ts";
import { webStreamOf } from "./web-stream.ts";

/** Maximum size of a camera frame [bytes]. */
const frameSizeLimitBytes = 10 * 1024 * 1024;
const callSizeLimitBytes = 1024 * 1024;
/** Maximum duration of a drop of thousands of files. */
const maxDropMs = 12 * 3_600_000;

type Route = Pick<RouteOptions, "method" | "url" | "bodyLimit"> & {
  /** Required permission; `enter` if the handler checks further permissions. */
  readonly permission: ChannelPermission;
  readonly answer: (asked: Asked) => Promise<Response>;
};

export type PageTransport = {
  readonly closing: AbortSignal;
  readonly sessionOf: (request: FastifyRequest) => string;
};

/** Parsed request; `signal` is aborted when the page disconnects or the program ends. */
type Asked = {
  readonly session: string;
  readonly body: Uint8Array;
  readonly part: (name: string) => string;
  readonly query: (name: string) => string | null;
  readonly signal: AbortSignal;
};

/**
 * Registers the routes below /app, for browsers and for Electron's custom protocol. The transport must have
 * authenticated the page.
 *
 * @param transport  `closing` is aborted when the program ends; `sessionOf` returns the page's session
 */
export function registerAppRoutes(app: FastifyInstance, desktop: Desktop, transport: PageTransport): void {
  parseBodiesAsBytes(app);
  app.setErrorHandler((error, request, reply) => reply.send(answerToFailure(error, desktop, request)));
  const routes = [...byteRoutes(desktop), ...filmRoutes(desktop)];
  const { admit } = desktop.parts.sessions;
  for (const { answer, permission, ...route } of routes)
    app.route({
      ...route,
      onRequest: async (request) => void (await admit(transport.sessionOf(request), permission)),
      handler: async (request, reply) => {
        const asked = requestContext(request, reply, transport);
        const actor = await admit(asked.session, permission);
        return reply.send(await runAsActor(actor, () => answer(asked)));
      },
    });
  const methodsOf = (url: string) => routes.filter((route) => route.url === url).map((route) => route.method);
  for (const url of new Set(routes.map((route) => route.url))) {
    const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !methodsOf(url).includes(method));
    app.route({ method: others, url, handler: () => Promise.reject(new AppError("METHOD_NOT_ALLOWED")) });
  }
  app.all("/app/*", () => Promise.reject(new AppError("NOT_FOUND")));
}

export function parseBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}

function requestContext(request: FastifyRequest, reply: FastifyReply, { closing, sessionOf }: PageTransport): Asked {
  const disconnect = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) disconnect.abort();
  });
  // If the page disconnected while it was admitted, there will be no close event.
  if (reply.raw.destroyed) disconnect.abort();
  const named = (among: unknown, name: string) => (among as Readonly<Record<string, unknown>>)[name];
  return {
    session: sessionOf(request),
    body: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
    part: (name) => (request.params as Readonly<Record<string, string>>)[name] ?? "",
    query: (name) => {
      const value = named(request.query, name);
      return typeof value === "string" ? value : null;
    },
    signal: AbortSignal.any([disconnect.signal, closing]),
  };
}

export function answerToFailure(error: unknown, { context }: Desktop, request: FastifyRequest): Response {
  const answer = answerOf(knownFailure(error, request), context.log, request.routeOptions.url ?? "/app");
  return json(answer, answer.ok ? 200 : errorCatalogue[answer.code as ErrorCode].status);
}

/** Converts Fastify's errors that a page can cause to those of the catalogue. */
function knownFailure(error: unknown, { raw }: FastifyRequest): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof Error && "code" in error && error.code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new AppError("BODY_TOO_LARGE");
  // The page disconnected while its request was read.
  return raw.destroyed && !raw.complete ? new AppError("ABORTED", undefined, { cause: error }) : error;
}

function byteRoutes(desktop: Desktop): Route[] {
  const { context, parts } = desktop;
  const captures = () => desktop.current().captures;
  return [
    {
      method: "POST",
      url: `${desktopRoutes.call}/:channel`,
      bodyLimit: callSizeLimitBytes,
      permission: "enter",
      answer: async ({ body, part, session }) => json(await desktop.call(part("channel"), parseJson(body), session)),
    },
    {
      method: "PUT",
      url: desktopRoutes.captureFrame,
      permission: "prepare",
      bodyLimit: frameSizeLimitBytes,
      answer: async ({ body, query, signal }) =>
        ok(captureSession.parse(await captures().addFrame(query("session") ?? "", body, signal))),
    },
    {
      method: "PUT",
      url: desktopRoutes.captureCorners,
      permission: "prepare",
      bodyLimit: frameSizeLimitBytes,
      answer: async ({ body, signal }) => ok(captureCorners.parse(await captures().findCorners(body, signal))),
    },
    {
      method: "PUT",
      url: desktopRoutes.importPack,
      permission: "administer",
      bodyLimit: packSizeLimits.totalBytes,
      answer: async ({ body }) => {
        await importPack(context, parts.options, body);
        return ok(desktopContract["packs.list"].response.parse({ packs: await listPacks(context, parts.options) }));
      },
    },
    {
      method: "GET",
      url: "/app/exports/:name",
      permission: "share",
      answer: async ({ part }) => {
        const { content, sizeBytes, mediaType } = await takeExport(context.dataDir, part("name"));
        const headers = { "content-length": String(sizeBytes), "content-disposition": "attachment" };
        return new Response(webStreamOf(content), { headers: headersOfBytes(mediaType, headers) });
      },
    },
    {
      method: "GET",
      url: desktopRoutes.events,
      permission: "enter",
      answer: async ({ signal, session }) =>
        eventStream((listener) => desktop.subscribePage(session, listener), signal),
    },
  ];
}

function filmRoutes(desktop: Desktop): Route[] {
  const image = (
    name: string,
    answer: (film: FilmRow, read: (what: FilmImage) => Promise<Buffer>) => Promise<Response>,
  ): Route => ({
    method: "GET",
    url: `/app/films/:id/${name}`,
    permission: "look",
    answer: async ({ part }) => {
      const { context } = desktop.current();
      const film = await getFilm(context.db, part("id"));
      return answer(film, (what) => readFilmImage(context, film.sha256, what, film.frameIndex));
    },
  });
  return [
    {
      method: "PUT",
      url: desktopRoutes.addFilm,
      permission: "prepare",
      bodyLimit: filmSizeLimitBytes,
      answer: async ({ body, query, signal }) => {
        const { context } = desktop.current();
        const origin = filmOrigins.find((known) => known === query("origin")) ?? "file";
        const dropped = dropOf(context.now().getTime(), Number(query("dropped")), Number(query("place") ?? "0"));
        const file = { name: query("name") ?? "", origin, bytes: body, dropped };
        const isInFolder = query("within") === "folder";
        return ok(openedFiles.parse(await importBytes(context, file, isInFolder, signal)));
      },
    },
    image("thumbnail", async (_film, read) => bytes(await read("thumbnail"), "image/jpeg")),
    {
      method: "GET",
      url: "/app/films/:id/frames/:frame(^\\d{1,6}$)",
      permission: "look",
      answer: async ({ part }) => {
        const { context } = desktop.current();
        const film = await getFilm(context.db, part("id"));
        return bytes(await frameThumbnail(context, film, Number(part("frame"))), "image/jpeg");
      },
    },
    image("rectified", async (_film, read) => bytes(await read("rectified"), "image/jpeg")),
    image("pixels", async (film, read) => {
      const pixels = await filmPixels(desktop.context.dicom, await read("original"), film.frameIndex);
      return bytes(pixels.data, "application/octet-stream", headersOf(pixels));
    }),
  ];
}

/** Position of a film in its drop; undefined if not sent, or if the page's clock differs too much. */
function dropOf(nowMs: number, atMs: number, place: number): OpenedFile["dropped"] {
  const isRecent = Number.isInteger(atMs) && atMs <= nowMs && nowMs - atMs < maxDropMs;
  return isRecent && Number.isInteger(place) && place >= 0 ? { atMs, place } : undefined;
}

/** Headers that describe pixel data: size and bit depth, the film's window, and the scale and unit of its values. */
function headersOf({ widthPx, heightPx, bits, window, value }: FilmPixels): Readonly<Record<string, string>> {
  return {
    "x-width": String(widthPx),
    "x-height": String(heightPx),
    "x-bits": String(bits),
    ...(window && { "x-window-centre": String(window.centre), "x-window-width": String(window.width) }),
    ...(value && { "x-value-slope": String(value.slope), "x-value-intercept": String(value.intercept) }),
    ...(value?.unit && { "x-value-unit": value.unit }),
  };
}

/** @throws AppError INVALID_JSON */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError("INVALID_JSON", undefined, { cause });
  }
}

function bytes(body: Buffer, mediaType: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength), {
    headers: headersOfBytes(mediaType, headers),
  });
}

/** Films must not be stored in the browser's disk cache. */
function headersOfBytes(mediaType: string, headers: Readonly<Record<string, string>>) {
  return { ...pageHeaders, "content-type": mediaType, "cache-control": "no-store", ...headers };
}

function ok(value: unknown): Response {
  return json({ ok: true, value });
}

/** Calls respond 200 even if they failed; only byte routes use other statuses. */
export function json(answer: DesktopAnswer<unknown>, status = 200): Response {
  return Response.json(answer, { status, headers: { ...pageHeaders, "cache-control": "no-store" } });
}
