import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";
import { isUsgAddress, usgCorsHeaders, usgErrorCodeOf } from "../../core/contract/usg-v1.ts";
import { addressOf } from "./requests/request-target.ts";

type Refusal = { readonly status: number; readonly message: string };

const refusals: Readonly<Record<string, { readonly code: ErrorCode; readonly refusal: Refusal }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: "REQUEST_TIMEOUT", refusal: errorCatalogue.REQUEST_TIMEOUT },
  HPE_HEADER_OVERFLOW: { code: "INVALID_BODY", refusal: { status: 431, message: "Request headers too large" } },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: "BODY_TOO_LARGE", refusal: errorCatalogue.BODY_TOO_LARGE },
};
const malformed = { code: "INVALID_BODY", refusal: { status: 400, message: "Malformed HTTP request" } } as const;

/** Error response in the JSON format of the service to which the address belongs. */
export function failureAt(address: string, code: string, message: string) {
  const isUsg = isUsgAddress(address);
  const body = JSON.stringify({ error: isUsg ? { code, message } : message });
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    ...(isUsg && usgCorsHeaders),
  };
  return { headers, body };
}

const currentAddresses = new WeakMap<Duplex, string>();
/** Number of bytes of a request that are searched for its address. */
const startBytes = 1024;
const starts = new WeakMap<Duplex, string>();

export function trackPeerAddress(request: IncomingMessage, response: ServerResponse): void {
  const { socket, url = "/" } = request;
  currentAddresses.set(socket, url);
  starts.delete(socket);
  response.once("close", () => currentAddresses.delete(socket));
  // If the response preceded the body, the remaining body is not the start of another request.
  request.once("end", () => starts.delete(socket));
}

/**
 * Stores the first bytes of a connection's next request. When a request fails to parse, Node exposes only the chunk
 * with the error, and nothing of a request that timed out.
 */
export function recordRequestStarts(socket: Duplex): void {
  socket.prependListener("data", (part: Buffer) => {
    const start = starts.get(socket) ?? "";
    if (start.length < startBytes && !currentAddresses.has(socket))
      starts.set(socket, start + part.toString("latin1", 0, startBytes - start.length));
  });
}

function requestAddress(socket: Duplex): string {
  return currentAddresses.get(socket) ?? addressOf(/^[A-Z]+ (\S+)/.exec(starts.get(socket) ?? "")?.[1] ?? "/");
}

/** Responds to malformed or slow requests in the usual error format and ends the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex | Socket): void {
  // Remaining bytes of a refused request: its response is already being sent.
  if (socket.writableEnded) return;
  // Without a handshake there is no request to answer.
  const isUnanswerable = error.code === "ECONNRESET" || error.code === "ERR_TLS_HANDSHAKE_TIMEOUT";
  if (isUnanswerable || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, refusal } = refusals[error.code ?? ""] ?? malformed;
  const { headers, body } = failureAt(requestAddress(socket), usgErrorCodeOf(code), refusal.message);
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
