import { AppError } from "../../core/app-error.ts";
import { desktopContract, desktopRoutes, type DesktopAnswer } from "../../core/contract/desktop.ts";
import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";
import { filmOrigins, openedFiles } from "../../core/contract/desktop/films.ts";
import { captureCorners, captureSession } from "../../core/contract/desktop/capture.ts";
import { takeExport } from "../services/desktop/exports.ts";
import { readFilmImage } from "../services/desktop/film-files.ts";
import { filmPixels, mediaTypeOf, type FilmPixels } from "../services/worklist/film-pixels.ts";
import { frameThumbnail } from "../services/worklist/films.ts";
import { openBytes } from "../services/import/import-files.ts";
import { filmSizeLimitBytes } from "../services/import/import-limits.ts";
import { importPack, listPacks, packSizeLimits } from "../services/program/packs.ts";
import { getFilm, type FilmRow } from "../store/films/films.ts";
import type { Desktop } from "./desktop.ts";
import { eventStream } from "./event-stream.ts";
import { answerOf } from "./handle.ts";
import { pageHeaders } from "./page-policy.ts";
import { readBody } from "./read-body.ts";

/** Largest picture of a camera [bytes]. */
const frameSizeLimitBytes = 10 * 1024 * 1024;
const callSizeLimitBytes = 1024 * 1024;

/**
 * Answers everything below /app, for a browser and for Electron's own protocol alike. The caller has checked who asks.
 */
type AppRoutes = (request: Request) => Promise<Response>;

type Route = {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (request: Request, part: (name: string) => string, url: URL) => Promise<Response>;
};

export function createAppRoutes(desktop: Desktop): AppRoutes {
  const routes = [...byteRoutes(desktop), ...filmRoutes(desktop)];
  return async (request) => {
    const url = new URL(request.url);
    try {
      const onPath = routes.filter(({ path }) => path.test(url.pathname));
      const route = onPath.find(({ method }) => method === request.method);
      if (!route) throw new AppError(onPath.length > 0 ? "METHOD_NOT_ALLOWED" : "NOT_FOUND");
      const groups = route.path.exec(url.pathname)?.groups ?? {};
      return await route.answer(request, (name) => groups[name] ?? "", url);
    } catch (error) {
      const answer = answerOf(error, desktop.context.log, url.pathname.split("/", 3).join("/"));
      return json(answer, statusOf(answer));
    }
  };
}

function byteRoutes(desktop: Desktop): Route[] {
  const { context, parts } = desktop;
  return [
    {
      method: "POST",
      path: new RegExp(`^${desktopRoutes.call}/(?<channel>[A-Za-z.]+)$`),
      answer: async (request, part) =>
        json(await desktop.call(part("channel"), parseJson(await readBody(request, callSizeLimitBytes)))),
    },
    {
      method: "PUT",
      path: exactly(desktopRoutes.captureFrame),
      answer: async (request, _part, url) => {
        const frame = await readBody(request, frameSizeLimitBytes);
        return ok(
          captureSession.parse(
            await parts.captures.addFrame(url.searchParams.get("session") ?? "", frame, request.signal),
          ),
        );
      },
    },
    {
      method: "PUT",
      path: exactly(desktopRoutes.captureCorners),
      answer: async (request) =>
        ok(
          captureCorners.parse(
            await parts.captures.findCorners(await readBody(request, frameSizeLimitBytes), request.signal),
          ),
        ),
    },
    {
      method: "PUT",
      path: exactly(desktopRoutes.importPack),
      answer: async (request) => {
        await importPack(context, parts.options, await readBody(request, packSizeLimits.totalBytes));
        return ok(desktopContract["packs.list"].response.parse({ packs: listPacks(context, parts.options) }));
      },
    },
    {
      method: "GET",
      path: /^\/app\/exports\/(?<name>[^/]+)$/,
      answer: async (_request, part) => {
        const taken = await takeExport(context.dataDir, part("name"));
        return bytes(taken.bytes, taken.mediaType, { "content-disposition": "attachment" });
      },
    },
    {
      method: "GET",
      path: exactly(desktopRoutes.events),
      answer: async (request) => eventStream(desktop.subscribe, request.signal),
    },
  ];
}

function filmRoutes({ context, parts }: Desktop): Route[] {
  const image = (name: string, answer: (film: FilmRow) => Promise<Response>): Route => ({
    method: "GET",
    path: new RegExp(`^/app/films/(?<id>[^/]+)/${name}$`),
    answer: async (_request, part) => answer(getFilm(context.db, part("id"))),
  });
  const read = (film: FilmRow, what: Parameters<typeof readFilmImage>[2]) =>
    readFilmImage(context.dataDir, film.sha256, what, film.frameIndex);
  return [
    {
      method: "PUT",
      path: exactly(desktopRoutes.addFilm),
      answer: async (request, _part, url) => {
        const origin = filmOrigins.find((known) => known === url.searchParams.get("origin")) ?? "file";
        const file = {
          name: url.searchParams.get("name") ?? "",
          origin,
          bytes: await readBody(request, filmSizeLimitBytes),
        };
        return ok(
          openedFiles.parse(
            await openBytes(
              context,
              file,
              url.searchParams.get("within") === "folder",
              () => parts.queue.wake(),
              request.signal,
            ),
          ),
        );
      },
    },
    image("thumbnail", async (film) => bytes(await read(film, "thumbnail"), "image/jpeg")),
    {
      method: "GET",
      path: /^\/app\/films\/(?<id>[^/]+)\/frames\/(?<frame>\d{1,6})$/,
      answer: async (_request, part) =>
        bytes(await frameThumbnail(context, getFilm(context.db, part("id")), Number(part("frame"))), "image/jpeg"),
    },
    image("rectified", async (film) => bytes(await read(film, "rectified"), "image/jpeg")),
    image("image", async (film) => {
      const file = await read(film, "original");
      return bytes(file, mediaTypeOf(file));
    }),
    image("pixels", async (film) => {
      const pixels = await filmPixels(context.dicom, await read(film, "original"), film.frameIndex);
      return bytes(pixels.data, "application/octet-stream", headersOf(pixels));
    }),
  ];
}

/**
 * What the page must know of samples to show them: size and depth, the film's own window and what its samples stand
 * for.
 */
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

function exactly(urlPath: string): RegExp {
  return new RegExp(`^${urlPath}$`);
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError("INVALID_JSON", undefined, { cause });
  }
}

/** Pictures of patients stay out of the browser's cache on the disk. */
function bytes(body: Buffer, mediaType: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength), {
    headers: { ...pageHeaders, "content-type": mediaType, "cache-control": "no-store", ...headers },
  });
}

function ok(value: unknown): Response {
  return json({ ok: true, value });
}

/** A call that was carried out is answered with 200, whatever came of it; only byte routes speak in statuses. */
export function json(answer: DesktopAnswer<unknown>, status = 200): Response {
  return Response.json(answer, { status, headers: { ...pageHeaders, "cache-control": "no-store" } });
}

function statusOf(answer: DesktopAnswer<unknown>): number {
  return answer.ok ? 200 : errorCatalogue[answer.code as ErrorCode].status;
}
