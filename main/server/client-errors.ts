import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorCatalogue, type ErrorCode } from "../../core/contract/error-catalogue.ts";
import { isUsgAddress, usgCorsHeaders, usgErrorCodeOf } from "../../core/contract/usg-v1.ts";

type Refusal = { readonly status: number; readonly message: string };

const refusals: Readonly<Record<string, { readonly code: ErrorCode; readonly refusal: Refusal }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: "REQUEST_TIMEOUT", refusal: errorCatalogue.REQUEST_TIMEOUT },
  HPE_HEADER_OVERFLOW: { code: "INVALID_BODY", refusal: { status: 431, message: "Request headers too large" } },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: "BODY_TOO_LARGE", refusal: errorCatalogue.BODY_TOO_LARGE },
};
const malformed = { code: "INVALID_BODY", refusal: { status: 400, message: "Malformed HTTP request" } } as const;

/**
 * A failure where no route answers, as JSON in the shape of the service that an address belongs to; `code` is shown
 * where that has one.
 */
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

const addressesUnderWay = new WeakMap<Duplex, string>();

/** Remembers what a connection has asked for until that is answered. */
export function followAddress({ socket, url = "/" }: IncomingMessage, response: ServerResponse): void {
  addressesUnderWay.set(socket, url);
  response.once("close", () => addressesUnderWay.delete(socket));
}

/** What a request that failed was for, where the part that Node failed on or an earlier one says so; else "/". */
function addressMeant(packet: unknown, socket: Duplex): string {
  const start = Buffer.isBuffer(packet) ? packet.toString("latin1", 0, 1000) : "";
  return addressesUnderWay.get(socket) ?? /^[A-Z]+ (\S+) /.exec(start)?.[1] ?? "/";
}

/** Answers input that is not HTTP, or comes too slowly, in the shape of every other error, and ends the connection. */
export function answerClientError(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Duplex | Socket,
): void {
  // The rest of a request that was refused: its answer is already on the way.
  if (socket.writableEnded) return;
  // Nobody has said hello: there is no request to answer, and what came late is a good one.
  const isUnanswerable = error.code === "ECONNRESET" || error.code === "ERR_TLS_HANDSHAKE_TIMEOUT";
  if (isUnanswerable || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, refusal } = refusals[error.code ?? ""] ?? malformed;
  const { headers, body } = failureAt(addressMeant(error.rawPacket, socket), usgErrorCodeOf(code), refusal.message);
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
