import { AppError } from "../../core/app-error.ts";

/** Largest image after base64 decoding [bytes]. */
export const maximumImageBytes = 10 * 1024 * 1024;

/** Media type and base64 marker that browsers put in front of the data. */
const dataPrefix = /^data:image\/[\w.+-]{1,64}(?:;[\w.+-]{1,64}=[\w.+-]{1,64}){0,4};base64,/i;

/** Of ASCII; other white space is refused. */
const whiteSpace = /[\t-\r ]+/g;

/**
 * Decodes base64 as RFC 4648 allows it: either alphabet, with or without padding. ASCII white space is ignored. The
 * size limit is judged from the length of the text, before anything is decoded.
 *
 * @param given  base64, with or without `data:image/…;base64,` in front
 * @param field  name of the request field, for the error message
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
  // Buffer skips unknown characters, which makes the result too short, but takes one beyond ASCII for another one.
  const isKnown = bytes.length === byteLength && !/[^!-~]/.test(digits) && !digits.includes("=");
  // One digit alone ends no byte.
  const isWhole = digits.length % 4 !== 1;
  const isPadded = padding === 0 || (digits.length + padding) % 4 === 0;
  if (!isKnown || !isWhole || !isPadded) throw new AppError("INVALID_BASE64", `Invalid base64 image: ${field}`);
  return bytes;
}
