import { WebFault } from "./web-fault.ts";

/** Events of a multipart body, in this order for each part. */
export type PartEvents = {
  readonly begin: (headers: string) => void;
  readonly data: (bytes: Buffer) => void;
  readonly end: () => void;
};

/** Parses a multipart body as it arrives; buffers no more than a delimiter or the headers of a part. */
export type MultipartReader = {
  /** @throws WebFault if the body is malformed */
  push(chunk: Buffer): void;
  /** Ends the body. @throws WebFault without a final delimiter */
  finish(): void;
};

type State = "preamble" | "delimiter" | "headers" | "data" | "done";

/** Maximum size of a part's headers, and of the preamble [bytes]. */
const maxTextLength = 16_384;
const lineEnd = Buffer.from("\r\n");
const headersEnd = Buffer.from("\r\n\r\n");

/** @see RFC 2046 5.1.1 */
export function createMultipartReader(boundary: string, events: PartEvents): MultipartReader {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  // The body may start with the first delimiter, without a line end.
  let held: Buffer = lineEnd;
  let state: State = "preamble";
  let preambleBytes = 0;

  /** Passes on all bytes before a delimiter; returns whether there was one. */
  const passToDelimiter = (pass: (bytes: Buffer) => void): boolean => {
    const at = held.indexOf(delimiter);
    const end = at >= 0 ? at : Math.max(0, held.length - delimiter.length + 1);
    if (end > 0) pass(held.subarray(0, end));
    held = held.subarray(at >= 0 ? at + delimiter.length : end);
    return at >= 0;
  };
  const steps: Record<State, () => boolean> = {
    preamble() {
      const isFound = passToDelimiter((bytes) => (preambleBytes += bytes.length));
      if (preambleBytes > maxTextLength) throw new WebFault("not-dicomweb", "no part found");
      if (isFound) state = "delimiter";
      return isFound;
    },
    delimiter() {
      if (held.length < 2) return false;
      if (held.toString("latin1", 0, 2) === "--") {
        state = "done";
        return true;
      }
      const end = held.indexOf(lineEnd);
      if (end < 0 && held.length <= delimiter.length + maxTextLength) return false;
      if (end < 0 || held.toString("latin1", 0, end).trim() !== "")
        throw new WebFault("not-dicomweb", "a malformed delimiter");
      // Keep the line end: a part without headers begins with an empty line.
      held = held.subarray(end);
      state = "headers";
      return true;
    },
    headers() {
      const end = held.indexOf(headersEnd);
      if (end > maxTextLength || (end < 0 && held.length > maxTextLength))
        throw new WebFault("not-dicomweb", "a part with endless headers");
      if (end < 0) return false;
      events.begin(held.toString("latin1", 0, end).trim());
      held = held.subarray(end + headersEnd.length);
      state = "data";
      return true;
    },
    data() {
      const isFound = passToDelimiter(events.data);
      if (!isFound) return false;
      events.end();
      state = "delimiter";
      return true;
    },
    done() {
      held = Buffer.alloc(0);
      return false;
    },
  };
  return {
    push(chunk) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      while (steps[state]()) continue;
    },
    finish() {
      if (state !== "done") throw new WebFault("connection-lost", "the response is incomplete");
    },
  };
}
