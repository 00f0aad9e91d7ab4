import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { Transform, type TransformCallback } from "node:stream";
import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";

const magic = Buffer.from("CORVETB1");
/** Parameters of scrypt: 64 MiB of memory. */
const cost = { n: 65_536, r: 8, p: 1 } as const;
const scryptMemoryBytes = 256 * cost.n * cost.r;
const keyBytes = 32;
const tagBytes = 16;
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

export function isEncrypted(beginning: Buffer): boolean {
  return beginning.subarray(0, magic.length).equals(magic);
}

/**
 * Encrypts a stream with AES-256-GCM in frames. Frame number and last-frame flag are authenticated, so that reordered
 * frames and a truncated end are detected.
 */
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
    const length = Buffer.alloc(4);
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

/** Decrypts a stream, which fails with BACKUP_LOCKED on a wrong passphrase or a damaged file. */
export function decryption(passphrase: string): Transform {
  let held = Buffer.alloc(0);
  let opened: { readonly header: Buffer; readonly nonce: Buffer; readonly key: Buffer } | null = null;
  let [frame, isOver] = [0, false];
  const readHeader = (): boolean => {
    const start = magic.length + 2;
    if (held.length < start) return false;
    const header = held.subarray(start, start + held.readUInt16BE(magic.length));
    if (held.length < start + held.readUInt16BE(magic.length)) return false;
    const { nonce, ...derivation } = headerSchema.parse(JSON.parse(header.toString("utf8")));
    opened = { header, nonce, key: keyOf(passphrase, derivation) };
    held = held.subarray(start + header.length);
    return true;
  };
  const nextFrame = (): Buffer | null => {
    if (opened === null || held.length < 4) return null;
    const word = held.readUInt32BE();
    const [isLast, length] = [word >= lastFrame, word % lastFrame];
    if (length > frameBytes) throw new Error("a frame is too long");
    if (held.length < 4 + length + tagBytes) return null;
    const decipher = createDecipheriv("aes-256-gcm", opened.key, nonceOf(opened.nonce, frame));
    decipher.setAAD(sealedWith(opened.header, isLast));
    decipher.setAuthTag(held.subarray(4 + length, 4 + length + tagBytes));
    const plain = Buffer.concat([decipher.update(held.subarray(4, 4 + length)), decipher.final()]);
    held = held.subarray(4 + length + tagBytes);
    [frame, isOver] = [frame + 1, isLast];
    return plain;
  };
  const failAsLocked = (done: TransformCallback, work: () => void) => {
    try {
      work();
      done();
    } catch (cause) {
      done(new AppError("BACKUP_LOCKED", undefined, { cause }));
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      failAsLocked(done, () => {
        held = Buffer.concat([held, chunk]);
        if (opened === null && !readHeader()) return;
        for (let plain = nextFrame(); plain !== null; plain = nextFrame()) this.push(plain);
      });
    },
    flush(done) {
      failAsLocked(done, () => {
        if (!isOver || held.length > 0) throw new Error("the end is missing");
      });
    },
  });
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
