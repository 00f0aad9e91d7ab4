import { isUtf8 } from "node:buffer";
import { finished } from "node:stream";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../../core/app-error.ts";
import { isBodyOptional } from "../../../core/contract/v3/routes.ts";
import { parseLifting } from "./long-strings.ts";

/** 10 MiB as base64 and the other fields [bytes]. Clients that write "+" as "\u002B" (.NET) send 8 % more. */
export const imageBodyLimitBytes = 15 * 1024 * 1024;
/** Body limit for a batch of ten such images [bytes]. */
export const batchBodyLimitBytes = 152 * 1024 * 1024;

/**
 * Buffers grow with the received bytes, not with the declared length, so that a client cannot reserve memory without
 * sending data. With this growth factor a batch needs little more memory than its own size; collecting and joining
 * chunks would take twice as much.
 */
const initialBufferBytes = 64 * 1024;
const bufferGrowth = 4;

type BodyBudget = { hold(bytes: number): void; release(bytes: number): void };

/**
 * Registers the parser of JSON bodies. A body that is too large is refused by its declared length before it is read, or
 * as soon as it exceeds the limit. All bodies with images together stay within `totalLimitBytes`, so that many callers
 * cannot exhaust the memory.
 */
export function registerBodyReader(app: FastifyInstance, totalLimitBytes: number): void {
  const budget = createBudget(totalLimitBytes);
  app.removeAllContentTypeParsers();
  app.addHook("preParsing", async (request, reply) => {
    // HTTP/1.0 has no interim response.
    if (request.headers.expect?.toLowerCase() !== "100-continue" || request.raw.httpVersion === "1.0") return;
    assertDeclared(request);
    reply.raw.writeContinue();
  });
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const encoding = request.headers["content-encoding"] ?? "identity";
    if (encoding.toLowerCase() !== "identity")
      throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding must be identity");
    const body = await readWhole(request, payload, budget);
    if (body.length === 0 && isBodyOptional(request.routeOptions.url)) return undefined;
    // Decoding replaces all invalid bytes by the same character, which could make two different identifiers equal.
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
  // A small body is accepted while images fill the memory, so that they never delay a screening.
  const isHeld = limitBytes > initialBufferBytes;
  let room = Buffer.allocUnsafeSlow(Math.min(expectedBytes, initialBufferBytes));
  let bytes = 0;
  request.releaseBody = () => {
    if (isHeld) budget.release(bytes);
    bytes = 0;
    request.longTexts.clear();
    free(room);
  };
  await eachChunk(payload, (chunk) => {
    if (bytes + chunk.length > limitBytes) throw tooLarge(limitBytes);
    if (isHeld) budget.hold(chunk.length);
    if (bytes + chunk.length > room.length)
      room = grown(room, bytes, Math.min(expectedBytes, (bytes + chunk.length) * bufferGrowth));
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

/** Frees a buffer's memory at once instead of at the next garbage collection. */
function free({ buffer, byteLength }: Buffer): void {
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isAlone && !buffer.detached) buffer.transfer(0);
}

/** Declared length of a body [bytes], or null if there is none. @throws AppError if it exceeds the route's limit */
function assertDeclared(request: FastifyRequest): number | null {
  const header = request.headers["content-length"];
  if (header !== undefined && Number(header) > request.routeOptions.bodyLimit)
    throw tooLarge(request.routeOptions.bodyLimit);
  return header === undefined ? null : Number(header);
}

/** Calls `take` for each chunk. If `take` throws, the payload stays open so that an error response can be sent. */
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
