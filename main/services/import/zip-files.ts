import { buffer } from "node:stream/consumers";
import { fromBufferPromise, getFileNameLowLevel, openPromise, validateFileName, type Entry, type ZipFile } from "yauzl";
import { AppError, because } from "../../../core/app-error.ts";

/** A file out of a ZIP. */
export type ZippedFile = { readonly name: string; readonly bytes: Buffer };

/** A file in a ZIP, unpacked when it is read. @throws AppError INVALID_ARCHIVE when reading it fails */
export type ZipEntry = { readonly name: string; readonly read: () => Promise<Buffer> };

/** How much is unpacked at most. */
export type ZipLimits = { readonly files: number; readonly fileBytes: number; readonly totalBytes: number };

/** No film compresses better than this; such a file was made to exhaust the memory. */
const largestRatio = 1000;
const ratioMattersFromBytes = 16 * 1024 * 1024;

/**
 * The files of a ZIP, one after the other. One with an absolute name or `..` in it cannot be read, nor one that is
 * larger than the ZIP says.
 *
 * @param zip  its bytes, or its path
 * @throws AppError INVALID_ARCHIVE
 */
export async function* zipEntries(zip: Uint8Array | string, limits: ZipLimits): AsyncGenerator<ZipEntry> {
  const archive = await inWords(
    typeof zip === "string"
      ? openPromise(zip, options)
      : fromBufferPromise(Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength), options),
  );
  try {
    const entries = archive.eachEntry();
    let [files, totalBytes] = [0, 0];
    for (let next = await inWords(entries.next()); !next.done; next = await inWords(entries.next())) {
      const entry = next.value;
      // Windows' programs write backslashes; what stands between the slashes is checked when the file is read.
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      if (name.endsWith("/")) continue;
      files += 1;
      totalBytes += entry.uncompressedSize;
      if (files > limits.files || totalBytes > limits.totalBytes)
        throw new AppError("INVALID_ARCHIVE", because("archiveTooLarge"));
      yield { name, read: () => readEntry(archive, entry, name, limits) };
    }
  } finally {
    archive.close();
  }
}

/**
 * Unpacks a ZIP in memory.
 *
 * @throws AppError INVALID_ARCHIVE
 */
export async function readZip(zip: Uint8Array, limits: ZipLimits): Promise<ZippedFile[]> {
  const files: ZippedFile[] = [];
  for await (const { name, read } of zipEntries(zip, limits)) files.push({ name, bytes: await read() });
  return files;
}

/** Names are decoded here, so that a bad one spoils its own file and not the archive. */
const options = { lazyEntries: true, decodeStrings: false, autoClose: false } as const;

async function readEntry(archive: ZipFile, entry: Entry, name: string, limits: ZipLimits): Promise<Buffer> {
  if (validateFileName(name) !== null) throw new AppError("INVALID_ARCHIVE", because("archiveNameOutside"));
  const isBomb =
    entry.uncompressedSize > ratioMattersFromBytes && entry.uncompressedSize > entry.compressedSize * largestRatio;
  if (entry.uncompressedSize > limits.fileBytes || isBomb)
    throw new AppError("INVALID_ARCHIVE", because("archiveTooLarge"));
  if (entry.isEncrypted()) throw new AppError("INVALID_ARCHIVE", because("archiveLocked"));
  return inWords(archive.openReadStreamPromise(entry).then(buffer));
}

async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      "INVALID_ARCHIVE",
      `The archive cannot be opened: ${cause instanceof Error ? cause.message : "damaged"}`,
      { cause },
    );
  }
}
