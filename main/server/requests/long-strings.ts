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
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;
const unicodeLetter = 0x75;
const isShortEscape = bytesOf('"\\\\/bfnrt');
const isHexDigit = bytesOf("0123456789abcdefABCDEF");
const blockBytes = 16;

/**
 * A parsed body whose long strings are replaced by placeholders for `texts`: their raw bytes in the body, with escapes.
 */
export type LiftedBody = { readonly value: unknown; readonly texts: Map<string, Buffer> };

/**
 * Parses JSON without turning its long strings (base64 images) into JavaScript strings: each is replaced by a short
 * mark, and its bytes stay where they are. Parsing ten images of 10 MB in one go would hold up every other caller for a
 * second and take three times the memory.
 *
 * @param received  UTF-8, with or without a byte order mark
 * @throws SyntaxError when it is not JSON; AppError BODY_TOO_LARGE when it is long without long strings
 */
export function parseLifting(received: Buffer): LiftedBody {
  const body = withoutByteOrderMark(received);
  const texts = new Map<string, Buffer>();
  if (body.length <= longStringBytes) return { value: parseUtf8(body), texts };
  const marks = randomUUID();
  const pieces: Buffer[] = [];
  let copiedTo = 0;
  for (const content of longStrings(body)) {
    if (!isJsonText(content)) throw new SyntaxError("a string holds a control character or an unknown escape");
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

/** A parser may pass over the mark that some programs put before their text (RFC 8259, 8.1), as /usg/v1 does. */
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

/** Whether JSON.parse takes these bytes between quotes: no bare control character, and no escape that JSON has not. */
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

/** Whether a block holds a control character or a backslash, of which an image has few among its millions of bytes. */
function isBlockSpecial(view: DataView, at: number): boolean {
  const specials =
    specialsOf(view.getInt32(at, true)) |
    specialsOf(view.getInt32(at + 4, true)) |
    specialsOf(view.getInt32(at + 8, true)) |
    specialsOf(view.getInt32(at + 12, true));
  return specials !== 0;
}

/**
 * Not 0 where one of four bytes is a control character or a backslash.
 *
 * @see https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord
 */
function specialsOf(word: number): number {
  const others = word ^ 0x5c5c5c5c;
  return (((word - 0x20202020) & ~word) | ((others - 0x01010101) & ~others)) & 0x80808080;
}

/** Bytes of the character or the escape that begins here; 0 where JSON has none like it. */
function characterBytes(content: Buffer, at: number): 0 | 1 | 2 | 6 {
  const byte = content[at] ?? 0;
  if (byte !== backslash) return byte < firstPrintable ? 0 : 1;
  const letter = content[at + 1] ?? 0;
  if (letter !== unicodeLetter) return isShortEscape[letter] === 1 ? 2 : 0;
  for (let place = at + 2; place < at + 6; place += 1) if (isHexDigit[content[place] ?? 0] !== 1) return 0;
  return 6;
}

/** 1 at each of these characters. */
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
