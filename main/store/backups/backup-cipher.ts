import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";

const magic = Buffer.from("CORVETB1");
/** Parameters of scrypt: 64 MiB of memory. */
const cost = { n: 65_536, r: 8, p: 1 } as const;
const scryptMemoryBytes = 256 * cost.n * cost.r;
const keyBytes = 32;
/** Sizes of a frame's length and authentication tag [bytes]. */
const [lengthBytes, tagBytes] = [4, 16] as const;
/** Plain text per frame [bytes]. Frames are encrypted separately, so memory use is independent of the backup's size. */
const frameBytes = 1024 * 1024;
const lastFrame = 0x8000_0000;

const base64 = z.base64().transform((text) => Buffer.from(text, "base64"));
const headerSchema = z.object({
  salt: z.base64(),
  n: z.int().max(1_048_576),
  r: z.int().max(32),
  p: z.int().max(16),
  nonce: base64,
});
const keySchema = headerSchema.omit({ nonce: true }).extend({ key: base64 });

export type BackupKey = z.output<typeof keySchema>;

export function makeBackupKey(passphrase: string): BackupKey {
  const salt = randomBytes(16).toString("base64");
  return { salt, ...cost, key: Buffer.from(keyOf(passphrase, { salt, ...cost })) };
}

export function writeBackupKey(key: BackupKey): string {
  return JSON.stringify({ ...key, key: key.key.toString("base64") });
}

/** @throws ZodError, SyntaxError if the text is not a key */
export function readBackupKey(text: string): BackupKey {
  return keySchema.parse(JSON.parse(text));
}

/** Encrypts with AES-256-GCM in frames, whose authenticated number and last-frame flag reveal truncation. */
export function encryption({ key, ...derivation }: BackupKey): Transform {
  const nonce = randomBytes(8);
  const header = Buffer.from(JSON.stringify({ ...derivation, nonce: nonce.toString("base64") }));
  const lengthOfHeader = Buffer.alloc(2);
  lengthOfHeader.writeUInt16BE(header.length);
  let frame = 0;
  const seal = (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(nonce, frame));
    cipher.setAAD(sealedWith(header, isLast));
    frame += 1;
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE((sealed.length | (isLast ? lastFrame : 0)) >>> 0);
    return Buffer.concat([length, sealed, cipher.getAuthTag()]);
  };
  let held = Buffer.alloc(0);
  let hasBegun = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!hasBegun) this.push(Buffer.concat([magic, lengthOfHeader, header]));
      hasBegun = true;
      held = Buffer.concat([held, chunk]);
      while (held.length > frameBytes) {
        this.push(seal(held.subarray(0, frameBytes), false));
        held = held.subarray(frameBytes);
      }
      done();
    },
    flush(done) {
      this.push(seal(held, true));
      done();
    },
  });
}

export async function isEncrypted(file: FileHandle): Promise<boolean> {
  return (await readPart(file, 0, magic.length)).equals(magic);
}

/**
 * Opens an encrypted ZIP. Frames are decrypted when they are read, never on disk: an archive contains the store's key.
 *
 * @param file  stays open while the ZIP is read
 * @throws AppError BACKUP_LOCKED on a wrong passphrase or a damaged file, also while the ZIP is read
 */
export async function openEncryptedZip(file: FileHandle, passphrase: string): Promise<ZipFile> {
  const headerBytes = (await readPart(file, magic.length, 2)).readUInt16BE();
  const begin = magic.length + 2 + headerBytes;
  const sealedBytes = (await file.stat()).size - begin;
  const frames = Math.ceil(sealedBytes / (frameBytes + lengthBytes + tagBytes));
  const header = await readPart(file, magic.length + 2, headerBytes);
  const { nonce, key } = orLocked(() => {
    const { nonce, ...derivation } = headerSchema.parse(JSON.parse(header.toString("utf8")));
    return { nonce, key: keyOf(passphrase, derivation) };
  });
  const openFrame = async (frame: number): Promise<Buffer> => {
    const at = begin + frame * (frameBytes + lengthBytes + tagBytes) + lengthBytes;
    const sealed = await readPart(file, at, frameBytes + tagBytes);
    return orLocked(() => {
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(nonce, frame));
      decipher.setAAD(sealedWith(header, frame === frames - 1));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
    });
  };
  // Opening the last frame detects a wrong passphrase and a truncated file; a ZIP has its directory there.
  const last = await openFrame(frames - 1);
  let held = { frame: frames - 1, content: last };
  const reader = new FrameReader(async (frame) => {
    if (frame === frames - 1) return last;
    if (frame !== held.frame) held = { frame, content: await openFrame(frame) };
    return held.content;
  });
  const size = sealedBytes - frames * (lengthBytes + tagBytes);
  return await fromRandomAccessReaderPromise(reader, size, { autoClose: false });
}

class FrameReader extends RandomAccessReader {
  readonly #contentOf: (frame: number) => Promise<Buffer>;

  constructor(contentOf: (frame: number) => Promise<Buffer>) {
    super();
    this.#contentOf = contentOf;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#parts(start, end));
  }

  async *#parts(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const content = await this.#contentOf(Math.floor(at / frameBytes));
      const part = content.subarray(at % frameBytes, (at % frameBytes) + end - at);
      if (part.length === 0) return;
      yield part;
      at += part.length;
    }
  }
}

function orLocked<Done>(work: () => Done): Done {
  try {
    return work();
  } catch (cause) {
    throw new AppError("BACKUP_LOCKED", undefined, { cause });
  }
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function keyOf(passphrase: string, { salt, n, r, p }: Omit<z.input<typeof headerSchema>, "nonce">): Buffer {
  const options = { N: n, r, p, maxmem: scryptMemoryBytes };
  return scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), keyBytes, options);
}

function nonceOf(prefix: Buffer, frame: number): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(frame);
  return Buffer.concat([prefix, counter]);
}

function sealedWith(header: Buffer, isLast: boolean): Buffer {
  return Buffer.concat([header, Buffer.from([isLast ? 1 : 0])]);
}
