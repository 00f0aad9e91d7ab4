import { WebFault } from "./web-fault.ts";

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma] = [...'"\\{}[],'].map((character) =>
  character.charCodeAt(0),
);
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export type ObjectSplitter = {
  /** Adds bytes and returns the objects completed by them. @throws WebFault */
  push(chunk: Buffer): unknown[];
  /** Ends the array. @throws WebFault if it is incomplete */
  finish(): void;
};

/**
 * Splits a JSON array into its objects as it arrives, so that a response of any length needs no more memory than one
 * object.
 *
 * @param maxBytes  maximum size of one object
 */
export function createObjectSplitter(maxBytes: number): ObjectSplitter {
  let parts: Buffer[] = [];
  let bytes = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let place: "before" | "within" | "behind" = "before";

  const outside = (byte: number) => {
    if (isSpace(byte) || (byte === comma && place === "within")) return;
    if (byte === openBracket && place === "before") place = "within";
    else if (byte === closeBracket && place === "within") place = "behind";
    else throw new WebFault("not-dicomweb", "not an array of JSON objects");
  };
  const inside = (byte: number) => {
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  };
  const push = (chunk: Buffer) => {
    const whole: unknown[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (depth > 0) inside(byte);
      else if (byte === openBrace && place === "within") [depth, from] = [1, at];
      else {
        outside(byte);
        continue;
      }
      if (depth > 0) continue;
      whole.push(parsed(Buffer.concat([...parts, chunk.subarray(from, at + 1)])));
      [parts, bytes] = [[], 0];
    }
    if (depth > 0) {
      parts.push(chunk.subarray(from));
      bytes += chunk.length - from;
      if (bytes > maxBytes) throw new WebFault("too-large", `a match of more than ${maxBytes} bytes`);
    }
    return whole;
  };
  return {
    push,
    finish() {
      if (place !== "behind") throw new WebFault("connection-lost", "the response is incomplete");
    },
  };
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    throw new WebFault("not-dicomweb", "not JSON");
  }
}
