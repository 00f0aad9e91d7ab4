import { AppError } from "../../core/app-error.ts";

/**
 * Reads a request's body, however it comes, up to a limit.
 *
 * @throws AppError BODY_TOO_LARGE as soon as that is known, ABORTED when the sender goes away
 */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  const statedBytes = Number(request.headers.get("content-length") ?? 0);
  if (statedBytes > limitBytes) throw new AppError("BODY_TOO_LARGE");
  const chunks: Uint8Array[] = [];
  let totalBytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      totalBytes += chunk.byteLength;
      if (totalBytes > limitBytes) throw new AppError("BODY_TOO_LARGE");
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError("ABORTED", undefined, { cause });
  }
  return Buffer.concat(chunks, totalBytes);
}
