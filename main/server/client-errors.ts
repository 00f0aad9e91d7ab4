import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorCatalogue } from "../../core/contract/error-catalogue.ts";
import { isUsgAddress } from "../../core/contract/usg-v1.ts";

const meanings: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: errorCatalogue.REQUEST_TIMEOUT,
  HPE_HEADER_OVERFLOW: { status: 431, message: "Request headers too large" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorCatalogue.BODY_TOO_LARGE,
};
const malformed = { status: 400, message: "Malformed HTTP request" };

/** A failure as JSON in the shape of the service that an address belongs to; `code` is shown where that has one. */
export function errorBodyAt(address: string, code: string, message: string): string {
  return JSON.stringify({ error: isUsgAddress(address) ? { code, message } : message });
}

/** Answers input that is not HTTP, or comes too slowly, in the shape of every other error, and ends the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex | Socket): void {
  // The rest of a request that was refused: its answer is already on the way.
  if (socket.writableEnded) return;
  // Nobody has said hello: there is no request to answer, and what came late is a good one.
  const isUnanswerable = error.code === "ECONNRESET" || error.code === "ERR_TLS_HANDSHAKE_TIMEOUT";
  if (isUnanswerable || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = meanings[error.code ?? ""] ?? malformed;
  const body = JSON.stringify({ error: message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
