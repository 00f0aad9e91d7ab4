import { setImmediate } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { decodeBase64Image, maximumImageBytes } from "../../imaging/decode-base64-image.ts";
import { textOf } from "./long-strings.ts";

export type ReceivedImage = Uint8Array | AppError;

/** Maximum length of a base64 image [bytes]; a longer text exceeds the image limit whatever it contains. */
const maxImageTextBytes = Math.ceil((maximumImageBytes * 4) / 3) * 1.2;
const imageFields: readonly string[] = ["image", "images"];

/** Validates a body, apart from the content of its images. @throws AppError with the name of the first invalid field */
export function readRequest<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const { body, longTexts } = request;
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw new AppError("INVALID_BODY");
  const parsed = schema.safeParse(body);
  const [issue] = parsed.error?.issues ?? [];
  if (issue) throw fieldError(issue);
  const fields = Object.entries(parsed.data as Record<string, unknown>);
  const images = fields.filter(([name]) => imageFields.includes(name)).flatMap(([, value]) => value);
  for (const [mark, content] of longTexts) {
    if (images.includes(mark)) continue;
    readText(content);
    const [name] = fields.find(([, value]) => value === mark) ?? [];
    if (name !== undefined) throw new AppError("INVALID_FIELD", `Invalid field: ${name} is too long`);
  }
  return parsed.data as z.output<Schema>;
}

/** Decodes an image and releases the body. @throws AppError IMAGE_TOO_LARGE, INVALID_JSON, INVALID_BASE64 */
export function takeImage(request: FastifyRequest, text: string): Uint8Array {
  const image = readImage(request, text, "image");
  request.releaseBody();
  return image;
}

function readImage(request: FastifyRequest, text: string, field: string): Uint8Array {
  return decodeBase64Image(fullText(request, text), field);
}

/**
 * Decodes the images of a batch, one per turn of the event loop, and releases the body. An item that is not base64
 * becomes an error in its place; an item that is too large or not JSON fails the request.
 *
 * @throws AppError IMAGE_TOO_LARGE, INVALID_JSON, BUSY
 */
export async function readImages(request: FastifyRequest, texts: readonly string[]): Promise<readonly ReceivedImage[]> {
  // Throws if the queue is full, before the images take memory.
  request.server.context.queue.reserve(texts.length).release();
  const images: ReceivedImage[] = [];
  for (const [index, text] of texts.entries()) {
    images.push(imageOrError(() => readImage(request, text, `images[${index}]`)));
    await setImmediate();
  }
  request.releaseBody();
  return images;
}

function imageOrError(read: () => Uint8Array): ReceivedImage {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError) || ["IMAGE_TOO_LARGE", "INVALID_JSON"].includes(error.code)) throw error;
    return error;
  }
}

function fullText(request: FastifyRequest, text: string): string {
  const lifted = request.longTexts.get(text);
  if (!lifted) return text;
  if (lifted.length > maxImageTextBytes) throw new AppError("IMAGE_TOO_LARGE");
  return readText(lifted);
}

function readText(content: Buffer): string {
  try {
    return textOf(content);
  } catch (cause) {
    throw new AppError("INVALID_JSON", undefined, { cause });
  }
}

function fieldError(issue: z.core.$ZodIssue): AppError {
  const field = fieldName(issue.path);
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined"))
    return new AppError("MISSING_FIELD", `Missing required field: ${field}`);
  return new AppError("INVALID_FIELD", `Invalid field: ${field} ${requirementOf(issue)}`);
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function requirementOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "custom") return issue.message;
  if (issue.code === "invalid_type") return `must be ${articled(issue.expected)}`;
  if (issue.code === "too_small" && issue.origin === "string") return "must not be empty";
  if (issue.code === "too_big" && issue.origin === "string") return `must have at most ${issue.maximum} characters`;
  if (issue.code === "too_small")
    return `must have at least ${issue.minimum} ${Number(issue.minimum) === 1 ? "item" : "items"}`;
  if (issue.code === "too_big") return `must have at most ${issue.maximum} items`;
  return "is not valid";
}

function articled(type: string): string {
  const name = type === "tuple" ? "array" : type === "number" ? "finite number" : type;
  return `${/^[aeio]/.test(name) ? "an" : "a"} ${name}`;
}
