import { AppError } from "../../core/app-error.ts";

/** Largest image after base64 decoding [bytes]. */
export const maximumImageBytes = 10 * 1024 * 1024;

/** Media type and base64 marker that browsers put in front of the data. */
const dataPrefix = /^data:image\/[\w.+-]{1,64}(?:;[\w.+-]{1,64}=[\w.+-]{1,64}){0,4};base64,/i;

/**
 * Decodes a base64 image strictly: standard alphabet, right padding, no other characters except line breaks, which MIME
 * encoders insert. The size limit is judged from the length of the text, before anything is decoded.
 *
 * @param given  base64, with or without `data:image/…;base64,` in front
 * @param field  name of the request field, for the error message
 * @throws AppError INVALID_BASE64, IMAGE_TOO_LARGE
 */
export function decodeBase64Image(given: string, field: string): Uint8Array {
  const text = given.includes("\n") ? given.replaceAll(/\r?\n/g, "") : given;
  const start = dataPrefix.exec(text.slice(0, 512))?.[0].length ?? 0;
  const characters = text.length - start;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const byteLength = (characters / 4) * 3 - padding;
  if (byteLength > maximumImageBytes) throw new AppError("IMAGE_TOO_LARGE");
  if (characters === 0) throw new AppError("INVALID_BASE64", `Invalid base64 image: ${field} is empty`);
  const bytes = Buffer.from(start === 0 ? text : text.slice(start), "base64");
  // Buffer skips unknown characters and stops at padding, so foreign characters make the result too short; only the
  // URL-safe alphabet would pass as valid.
  const isStrict =
    characters % 4 === 0 && bytes.length === byteLength && !text.includes("-", start) && !text.includes("_", start);
  if (!isStrict) throw new AppError("INVALID_BASE64", `Invalid base64 image: ${field}`);
  return bytes;
}
