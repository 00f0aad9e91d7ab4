import { Readable } from "node:stream";

/** Read-ahead for a slow page [bytes]. */
const readAheadBytes = 1 << 20;

/** A stream of Node as the body of an answer. Left to itself Node counts chunks, and would read ahead without end. */
export function webStreamOf(content: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: readAheadBytes });
  return Readable.toWeb(content, { strategy }) as ReadableStream<Uint8Array<ArrayBuffer>>;
}
