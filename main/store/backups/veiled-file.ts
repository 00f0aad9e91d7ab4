import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createReadStream, type WriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, Transform, type Readable } from "node:stream";
import { pipeline as piped } from "node:stream/promises";
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";

const cipher = "aes-256-ctr";
const blockBytes = 16;

/**
 * Writes a ZIP to disk, encrypted with a key that exists in memory only, and opens it for reading: a decrypted archive
 * contains the key of the store, which must never be on disk in plain text.
 *
 * @param into  a new file
 */
export async function openEncryptedZip(content: readonly [Readable, Transform], into: WriteStream): Promise<ZipFile> {
  const key = randomBytes(32);
  await piped(...content, createCipheriv(cipher, key, counterAt(0)), into);
  const file = String(into.path);
  const { size } = await stat(file);
  return await fromRandomAccessReaderPromise(new VeiledReader(file, key), size, { autoClose: false });
}

class VeiledReader extends RandomAccessReader {
  readonly #file: string;
  readonly #key: Buffer;

  constructor(file: string, key: Buffer) {
    super();
    this.#file = file;
    this.#key = key;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    let skipped = start % blockBytes;
    const first = start - skipped;
    const decipher = createDecipheriv(cipher, this.#key, counterAt(first / blockBytes));
    const plain = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const part = decipher.update(chunk).subarray(skipped);
        skipped = Math.max(0, skipped - chunk.length);
        done(null, part);
      },
    });
    pipeline(createReadStream(this.#file, { start: first, end: end - 1 }), plain, () => undefined);
    return plain;
  }
}

/** Counters can start at 0 because each file has its own key. */
function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(blockBytes);
  counter.writeBigUInt64BE(BigInt(block), blockBytes / 2);
  return counter;
}
