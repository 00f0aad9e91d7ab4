import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";

/** Strings longer than this are lifted out of a body before it is parsed [bytes]. */
const longStringBytes = 64 * 1024;
/**
 * Most of a body that may be left to parse when its long strings are out [bytes]: keeps every turn of the event loop
 * short.
 */
const structureLimitBytes = 1024 * 1024;
/** Strings that a long body may have: more than any client sends, few enough to be scanned at once. */
const stringLimit = 20_000;
const quote = 0x22;
const backslash = 0x5c;
/** JSON has it escaped; of all control characters it is the only one that base64 may hold, so nothing else refuses it. */
const lineBreak = 0x0a;

/**
 * A parsed body whose long strings are marks that stand for `texts`: their bytes as they are in the body, escapes and
 * all.
 */
export type LiftedBody = { readonly value: unknown; readonly texts: Map<string, Buffer> };

/**
 * Parses JSON without turning its long strings (base64 images) into JavaScript strings: each is replaced by a short
 * mark, and its bytes stay where they are. Parsing ten images of 10 MB in one go would hold up every other caller for a
 * second and take three times the memory.
 *
 * @param body  UTF-8
 * @throws SyntaxError when it is not JSON; AppError BODY_TOO_LARGE when it is long without long strings
 */
export function parseLifting(body: Buffer): LiftedBody {
  const texts = new Map<string, Buffer>();
  if (body.length <= longStringBytes) return { value: parseUtf8(body), texts };
  const marks = randomUUID();
  const pieces: Buffer[] = [];
  let copiedTo = 0;
  for (const content of longStrings(body)) {
    if (content.includes(lineBreak)) throw new SyntaxError("a string holds a line break that is not escaped");
    const mark = `${marks}:${texts.size}`;
    texts.set(mark, content);
    const start = content.byteOffset - body.byteOffset;
    pieces.push(body.subarray(copiedTo, start), Buffer.from(mark));
    copiedTo = start + content.length;
  }
  pieces.push(body.subarray(copiedTo));
  const structureBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (structureBytes > structureLimitBytes) throw new AppError("BODY_TOO_LARGE");
  return { value: parseUtf8(Buffer.concat(pieces, structureBytes)), texts };
}

/** Decoding would put one replacement character for any bytes that are no UTF-8: two identifiers would become one. */
function parseUtf8(json: Buffer): unknown {
  if (!isUtf8(json)) throw new SyntaxError("the body is not UTF-8");
  return JSON.parse(json.toString("utf8"));
}

/** The text that a lifted string stands for. @throws SyntaxError on a bad escape */
export function textOf(content: Buffer): string {
  const text = content.toString("latin1");
  return content.includes(backslash) ? String(JSON.parse(`"${text}"`)) : text;
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

/**
 * Place of the quote that ends the string opened at `open`; a quote after an odd run of backslashes belongs to the
 * string.
 */
function closingQuote(body: Buffer, open: number): number {
  for (let at = body.indexOf(quote, open + 1); at !== -1; at = body.indexOf(quote, at + 1)) {
    let before = at;
    while (before - 1 > open && body[before - 1] === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}
