import { AppError } from "../../core/app-error.ts";

/** Maximum size of an image after base64 decoding [bytes]. */
export const maximumImageBytes = 10 * 1024 * 1024;

const dataPrefix = /^data:image\/[\w.+-]{1,64}(?:;[\w.+-]{1,64}=[\w.+-]{1,64}){0,4};base64,/i;

/** ASCII white space; other white space is refused. */
const whiteSpace = /[\t-\r ]+/g;

/**
 * Decodes base64 in the forms of RFC 4648: either alphabet, with or without padding. ASCII white space is ignored. The
 * size limit is checked by the length of the text, before decoding.
 *
 * @throws AppError INVALID_BASE64, IMAGE_TOO_LARGE
 */
export function decodeBase64Image(given: string, field: string): Uint8Array {
  const text = given.search(whiteSpace) < 0 ? given : given.replaceAll(whiteSpace, "");
  const start = dataPrefix.exec(text.slice(0, 512))?.[0].length ?? 0;
  if (start === text.length) throw new AppError("INVALID_BASE64", `Invalid base64 image: ${field} is empty`);
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.slice(start, text.length - padding);
  const byteLength = Math.floor((digits.length * 3) / 4);
  if (byteLength > maximumImageBytes) throw new AppError("IMAGE_TOO_LARGE");
  const bytes = Buffer.from(digits, "base64");
  // Buffer skips unknown ASCII characters, which makes the result too short, but decodes others as if they were base64.
  const isKnown = bytes.length === byteLength && !/[^!-~]/.test(digits) && !digits.includes("=");
  // A single remaining digit completes no byte.
  const isWhole = digits.length % 4 !== 1;
  const isPadded = padding === 0 || (digits.length + padding) % 4 === 0;
  if (!isKnown || !isWhole || !isPadded) throw new AppError("INVALID_BASE64", `Invalid base64 image: ${field}`);
  return bytes;
}
