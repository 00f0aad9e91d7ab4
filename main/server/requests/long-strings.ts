import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";

/** Strings longer than this are extracted from a body before it is parsed [bytes]. */
const longStringBytes = 64 * 1024;
/** Maximum size of a body without its long strings [bytes]; keeps each turn of the event loop short. */
const structureLimitBytes = 1024 * 1024;
/** Maximum number of strings in a long body: more than any client sends, few enough to scan in one turn. */
const stringLimit = 20_000;
/** Removes a byte order mark, as RFC 8259, 8.1 allows. */
const utf8 = new TextDecoder();
const quote = 0x22;
const backslash = 0x5c;

/** A parsed body whose long strings are replaced by placeholders. `texts` maps a placeholder to the escaped bytes. */
export type LiftedBody = { readonly value: unknown; readonly texts: Map<string, Buffer> };

/**
 * Replaces long strings (base64 images) by short placeholders before JSON is parsed. Parsing ten images of 10 MB at
 * once would block all other callers for a second and take three times the memory.
 *
 * @throws SyntaxError if it is not JSON (`textOf` checks the long strings); AppError BODY_TOO_LARGE without them
 */
export function parseLifting(body: Buffer): LiftedBody {
  const texts = new Map<string, Buffer>();
  if (body.length <= longStringBytes) return { value: JSON.parse(utf8.decode(body)), texts };
  const marks = randomUUID();
  const pieces: Buffer[] = [];
  let copiedTo = 0;
  for (const content of longStrings(body)) {
    const mark = `${marks}:${texts.size}`;
    texts.set(mark, content);
    const start = content.byteOffset - body.byteOffset;
    pieces.push(body.subarray(copiedTo, start), Buffer.from(mark));
    copiedTo = start + content.length;
  }
  pieces.push(body.subarray(copiedTo));
  const structureBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (structureBytes > structureLimitBytes) throw new AppError("BODY_TOO_LARGE");
  return { value: JSON.parse(utf8.decode(Buffer.concat(pieces, structureBytes))), texts };
}

/** Decodes the escaped content of a JSON string. @throws SyntaxError for a control character or an invalid escape */
export function textOf(content: Buffer): string {
  const text = content.toString("latin1");
  return /[^ -[\]-~]/.test(text) ? String(JSON.parse(`"${text}"`)) : text;
}

function* longStrings(body: Buffer): Generator<Buffer> {
  let strings = 0;
  for (let open = body.indexOf(quote); open !== -1;) {
    strings += 1;
    if (strings > stringLimit) throw new AppError("BODY_TOO_LARGE");
    const close = closingQuote(body, open);
    if (close === -1) return;
    if (close - open > longStringBytes) yield body.subarray(open + 1, close);
    open = body.indexOf(quote, close + 1);
  }
}

/** Index of the quote that closes the string opened at `open`, or -1. */
function closingQuote(body: Buffer, open: number): number {
  for (let at = body.indexOf(quote, open + 1); at !== -1; at = body.indexOf(quote, at + 1)) {
    let before = at;
    while (before - 1 > open && body[before - 1] === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}
