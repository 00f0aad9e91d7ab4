import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import {
  fromBufferPromise,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  openPromise,
  RandomAccessReader,
  validateFileName,
  type Entry,
  type ZipFile,
} from "yauzl";
import { AppError, because } from "../../../core/app-error.ts";

export type ZippedFile = { readonly name: string; readonly bytes: Buffer };

/** @throws AppError INVALID_ARCHIVE if reading fails */
export type ZipEntry = { readonly name: string; readonly read: () => Promise<Buffer> };

export type ZipLimits = { readonly files: number; readonly fileBytes: number; readonly totalBytes: number };

/** Higher than the compression ratio of any film; a file above it is meant to exhaust memory. */
const largestRatio = 1000;
const ratioMattersFromBytes = 16 * 1024 * 1024;

/**
 * Reading an entry fails if its name is absolute or contains `..`, its size exceeds the declared one, or its checksum
 * differs.
 *
 * @param zip  bytes or path
 * @throws AppError INVALID_ARCHIVE
 */
export async function* zipEntries(zip: Uint8Array | string, limits: ZipLimits): AsyncGenerator<ZipEntry> {
  const archive = await inWords(typeof zip === "string" ? openFile(zip) : openBytes(zip));
  try {
    const entries = archive.eachEntry();
    let [files, totalBytes] = [0, 0];
    for (let next = await inWords(entries.next()); !next.done; next = await inWords(entries.next())) {
      const entry = next.value;
      // Windows programs write backslashes; path components are checked when the file is read.
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

/** Unpacks a ZIP in memory. @throws AppError INVALID_ARCHIVE */
export async function readZip(zip: Uint8Array, limits: ZipLimits): Promise<ZippedFile[]> {
  const files: ZippedFile[] = [];
  for await (const { name, read } of zipEntries(zip, limits)) files.push({ name, bytes: await read() });
  return files;
}

/** Names are decoded per entry, so that an invalid name affects only its entry. */
const options = { lazyEntries: true, decodeStrings: false, autoClose: false } as const;

async function readEntry(archive: ZipFile, entry: Entry, name: string, limits: ZipLimits): Promise<Buffer> {
  if (validateFileName(name) !== null) throw new AppError("INVALID_ARCHIVE", because("archiveNameOutside"));
  const isBomb =
    entry.uncompressedSize > ratioMattersFromBytes && entry.uncompressedSize > entry.compressedSize * largestRatio;
  if (entry.uncompressedSize > limits.fileBytes || isBomb)
    throw new AppError("INVALID_ARCHIVE", because("archiveTooLarge"));
  if (entry.isEncrypted()) throw new AppError("INVALID_ARCHIVE", because("archiveLocked"));
  const { compressionMethod: method } = entry;
  if (method !== methods.stored && method !== methods.deflated)
    throw new AppError("INVALID_ARCHIVE", because("archiveMethod", { method: otherMethods[method] ?? `${method}` }));
  const bytes = await inWords(archive.openReadStreamPromise(entry).then(buffer));
  if (crc32(bytes) !== entry.crc32) throw new AppError("INVALID_ARCHIVE", because("archiveFileDamaged"));
  return bytes;
}

const methods = { stored: 0, deflated: 8 } as const;
/** Unsupported compression methods of other programs. @see APPNOTE 4.4.5 */
const otherMethods: Readonly<Record<number, string>> = {
  9: "Deflate64",
  12: "BZIP2",
  14: "LZMA",
  93: "Zstandard",
  95: "XZ",
  98: "PPMd",
};

function openBytes(zip: Uint8Array): Promise<ZipFile> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  return fromBufferPromise(bytes.subarray(0, endOfArchive(bytes)), options);
}

async function openFile(file: string): Promise<ZipFile> {
  await using handle = await open(file, "r");
  const { size } = await handle.stat();
  const from = Math.max(0, size - endBytes);
  const { buffer: tail, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
  const end = from + endOfArchive(tail.subarray(0, bytesRead));
  return await (end === size
    ? openPromise(file, options)
    : fromRandomAccessReaderPromise(new BeginningOfFile(file), end, options));
}

class BeginningOfFile extends RandomAccessReader {
  private readonly file: string;
  constructor(file: string) {
    super();
    this.file = file;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.file, { start, end: end - 1 });
  }
}

/** End record and comment, and as much again for bytes appended by mail and file servers. */
const endBytes = 2 * 65_536;
const endRecord = { signature: Buffer.from("PK\x05\x06"), bytes: 22, commentLengthAt: 20 } as const;

/** Returns the end of the file if ambiguous. */
function endOfArchive(bytes: Buffer): number {
  const at = bytes.lastIndexOf(endRecord.signature);
  if (at < 0 || at + endRecord.bytes > bytes.length) return bytes.length;
  return Math.min(bytes.length, at + endRecord.bytes + bytes.readUInt16LE(at + endRecord.commentLengthAt));
}

async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("INVALID_ARCHIVE", because("archiveDamaged"), { cause });
  }
}
