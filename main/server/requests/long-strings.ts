import { randomUUID } from "node:crypto";
import { AppError } from "../../../core/app-error.ts";

/** Strings longer than this are extracted from a body before it is parsed [bytes]. */
const longStringBytes = 64 * 1024;
/** Maximum size of a body without its long strings [bytes]; keeps each turn of the event loop short. */
const structureLimitBytes = 1024 * 1024;
/** Maximum number of strings in a long body: more than any client sends, few enough to scan in one turn. */
const stringLimit = 20_000;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;
const unicodeLetter = 0x75;
const isShortEscape = bytesOf('"\\\\/bfnrt');
const isHexDigit = bytesOf("0123456789abcdefABCDEF");
const blockBytes = 16;

/** A parsed body whose long strings are replaced by placeholders. `texts` maps a placeholder to the escaped bytes. */
export type LiftedBody = { readonly value: unknown; readonly texts: Map<string, Buffer> };

/**
 * Parses JSON without converting its long strings (base64 images) to JavaScript strings: each is replaced by a short
 * placeholder, and its bytes are not copied. Parsing ten images of 10 MB at once would block all other callers for a
 * second and take three times the memory.
 *
 * @param received  UTF-8, with or without a byte order mark
 * @throws SyntaxError if it is not JSON; AppError BODY_TOO_LARGE if it is too long even without its long strings
 */
export function parseLifting(received: Buffer): LiftedBody {
  const body = withoutByteOrderMark(received);
  const texts = new Map<string, Buffer>();
  if (body.length <= longStringBytes) return { value: parseUtf8(body), texts };
  const marks = randomUUID();
  const pieces: Buffer[] = [];
  let copiedTo = 0;
  for (const content of longStrings(body)) {
    if (!isJsonText(content)) throw new SyntaxError("a string contains a control character or an unknown escape");
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

/** RFC 8259, 8.1 allows parsers to ignore a byte order mark; /usg/v1 does so, too. */
function withoutByteOrderMark(text: Buffer): Buffer {
  return text.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? text.subarray(byteOrderMark.length) : text;
}

function parseUtf8(json: Buffer): unknown {
  return JSON.parse(json.toString("utf8"));
}

export function textOf(content: Buffer): string {
  const text = content.toString("latin1");
  return content.includes(backslash) ? String(JSON.parse(`"${text}"`)) : text;
}

/** Whether the bytes are valid content of a JSON string: no unescaped control character and no invalid escape. */
function isJsonText(content: Buffer): boolean {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const lastBlockAt = content.length - blockBytes;
  for (let at = 0; at < content.length;) {
    while (at <= lastBlockAt && !isBlockSpecial(view, at)) at += blockBytes;
    const end = Math.min(at + blockBytes, content.length);
    while (at < end) {
      const length = characterBytes(content, at);
      if (length === 0) return false;
      at += length;
    }
  }
  return true;
}

/** Whether a block contains a control character or a backslash. Images rarely do, so whole blocks can be skipped. */
function isBlockSpecial(view: DataView, at: number): boolean {
  const specials =
    specialsOf(view.getInt32(at, true)) |
    specialsOf(view.getInt32(at + 4, true)) |
    specialsOf(view.getInt32(at + 8, true)) |
    specialsOf(view.getInt32(at + 12, true));
  return specials !== 0;
}

/**
 * Non-zero if any of the four bytes is a control character or a backslash.
 *
 * @see https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord
 */
function specialsOf(word: number): number {
  const others = word ^ 0x5c5c5c5c;
  return (((word - 0x20202020) & ~word) | ((others - 0x01010101) & ~others)) & 0x80808080;
}

/** Length of the byte or escape sequence at `at` [bytes]; 0 if it is not allowed in JSON. */
function characterBytes(content: Buffer, at: number): 0 | 1 | 2 | 6 {
  const byte = content[at] ?? 0;
  if (byte !== backslash) return byte < firstPrintable ? 0 : 1;
  const letter = content[at + 1] ?? 0;
  if (letter !== unicodeLetter) return isShortEscape[letter] === 1 ? 2 : 0;
  for (let place = at + 2; place < at + 6; place += 1) if (isHexDigit[content[place] ?? 0] !== 1) return 0;
  return 6;
}

/** Lookup table with 1 at the code of each character. */
function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) bytes[byte] = 1;
  return bytes;
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
 * Index of the quote that closes the string opened at `open`, or -1. A quote after an odd number of backslashes is
 * escaped.
 */
function closingQuote(body: Buffer, open: number): number {
  for (let at = body.indexOf(quote, open + 1); at !== -1; at = body.indexOf(quote, at + 1)) {
    let before = at;
    while (before - 1 > open && body[before - 1] === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}
