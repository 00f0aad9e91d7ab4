import { Readable } from "node:stream";

/** Maximum read-ahead for a slow page [bytes]. */
const readAheadBytes = 1 << 20;

/** Converts a Node stream to a response body. Node's default strategy counts chunks and does not bound read-ahead. */
export function webStreamOf(content: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: readAheadBytes });
  return Readable.toWeb(content, { strategy }) as ReadableStream<Uint8Array<ArrayBuffer>>;
}
