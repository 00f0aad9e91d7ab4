import { isUtf8 } from "node:buffer";
import { finished } from "node:stream";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import { isBodyOptional } from "../../../core/contract/v3/routes.ts";
import { parseLifting } from "./long-strings.ts";

/**
 * Body of a route that takes one image [bytes]: 10 MiB in base64 and the members around it. Some clients write every
 * "+" of it as "\u002B" (.NET by default), which makes it 8 % longer.
 */
export const imageBodyLimitBytes = 15 * 1024 * 1024;
/** Body of a batch of ten such images [bytes]. */
export const batchBodyLimitBytes = 152 * 1024 * 1024;

/**
 * Buffers grow with the received bytes, not with the declared length: a client that declares much and sends nothing
 * reserves nothing. With steps of this size a batch needs little more than one buffer; chunks and a copy would take
 * twice the memory.
 */
const firstRoomBytes = 64 * 1024;
const roomGrowth = 4;

/** Bytes of request bodies in memory. */
type BodyBudget = { hold(bytes: number): void; release(bytes: number): void };

/**
 * Reads JSON bodies. A body is refused by its declared length before a byte of it is read, or as soon as it runs over;
 * all bodies together stay within `totalLimitBytes`, so that no number of callers can exhaust the memory.
 */
export function registerBodyReader(app: FastifyInstance, totalLimitBytes: number): void {
  const budget = createBudget(totalLimitBytes);
  app.removeAllContentTypeParsers();
  app.addHook("preParsing", async (request, reply) => {
    // A client of HTTP/1.0 does not know the interim answer.
    if (request.headers.expect?.toLowerCase() !== "100-continue" || request.raw.httpVersion === "1.0") return;
    assertDeclared(request);
    reply.raw.writeContinue();
  });
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const encoding = request.headers["content-encoding"] ?? "identity";
    if (encoding.toLowerCase() !== "identity")
      throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding must be identity");
    const body = await readWhole(request, payload, budget);
    // Regardless of the content type.
    if (body.length === 0 && isBodyOptional(request.routeOptions.url)) return undefined;
    // Decoding would replace any invalid bytes by one character: two identifiers would become one.
    if (!isUtf8(body)) throw new AppError("INVALID_JSON", "Request body is not valid JSON (not UTF-8)");
    const { value, texts } = parse(body);
    request.longTexts = texts;
    return value;
  });
}

function parse(body: Buffer) {
  try {
    return parseLifting(body);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError("INVALID_JSON", undefined, { cause });
  }
}

function createBudget(totalLimitBytes: number): BodyBudget {
  let heldBytes = 0;
  return {
    hold(bytes) {
      if (heldBytes + bytes > totalLimitBytes) throw new AppError("BUSY", "Too much data waiting");
      heldBytes += bytes;
    },
    release: (bytes) => (heldBytes -= bytes),
  };
}

async function readWhole(request: FastifyRequest, payload: IncomingMessage, budget: BodyBudget): Promise<Buffer> {
  const limitBytes = request.routeOptions.bodyLimit;
  const expectedBytes = assertDeclared(request) ?? limitBytes;
  let room = Buffer.allocUnsafeSlow(Math.min(expectedBytes, firstRoomBytes));
  let bytes = 0;
  request.releaseBody = () => {
    budget.release(bytes);
    bytes = 0;
    request.longTexts.clear();
    free(room);
  };
  await eachChunk(payload, (chunk) => {
    if (bytes + chunk.length > limitBytes) throw tooLarge(limitBytes);
    budget.hold(chunk.length);
    if (bytes + chunk.length > room.length)
      room = grown(room, bytes, Math.min(expectedBytes, (bytes + chunk.length) * roomGrowth));
    bytes += chunk.copy(room, bytes);
    free(chunk);
  });
  return room.subarray(0, bytes);
}

function grown(room: Buffer, bytes: number, capacity: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(capacity);
  room.copy(larger, 0, 0, bytes);
  free(room);
  return larger;
}

/** Returns the memory of a buffer at once: bodies of many clients would wait for a garbage collection. */
function free({ buffer, byteLength }: Buffer): void {
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isAlone && !buffer.detached) buffer.transfer(0);
}

/** Declared length of a body, null when it declares none. */
function assertDeclared(request: FastifyRequest): number | null {
  const header = request.headers["content-length"];
  if (header !== undefined && Number(header) > request.routeOptions.bodyLimit)
    throw tooLarge(request.routeOptions.bodyLimit);
  return header === undefined ? null : Number(header);
}

/**
 * Does not destroy the payload when `take` throws, so that the refusal can still be written to the connection.
 */
function eachChunk(payload: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (error?: unknown): void => {
      payload.off("data", onData);
      unwatch();
      if (error === undefined) resolve();
      else reject(error instanceof AppError ? error : new AppError("ABORTED", undefined, { cause: error }));
    };
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk);
      } catch (error) {
        stop(error);
      }
    };
    const unwatch = finished(payload, { writable: false }, (error) => stop(error ?? undefined));
    payload.on("data", onData);
  });
}

function tooLarge(limitBytes: number): AppError {
  return limitBytes === imageBodyLimitBytes ? new AppError("IMAGE_TOO_LARGE") : new AppError("BODY_TOO_LARGE");
}
