import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** A file out of a ZIP. */
export type ZippedFile = { readonly name: string; readonly bytes: Buffer };

/** How much is unpacked at most. */
export type ZipLimits = { readonly files: number; readonly fileBytes: number; readonly totalBytes: number };

/**
 * Unpacks a ZIP in memory. Absolute names and those with `..` are refused, and so is a file that is larger than the ZIP says.
 *
 * @throws Error in words for the user
 */
export async function readZip(zip: Uint8Array, limits: ZipLimits): Promise<ZippedFile[]> {
  const archive = await fromBufferPromise(Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength), { lazyEntries: true, strictFileNames: true });
  const files: ZippedFile[] = [];
  let totalBytes = 0;
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith("/")) continue;
    totalBytes += entry.uncompressedSize;
    if (files.length >= limits.files || entry.uncompressedSize > limits.fileBytes || totalBytes > limits.totalBytes) throw new Error("the ZIP file holds too much");
    files.push({ name: entry.fileName, bytes: await buffer(await archive.openReadStreamPromise(entry)) });
  }
  return files;
}
