import { createHash, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { parseDocument, shapedAs } from "./pack-document.ts";

/** Name of the signature in a pack's folder; it is not among the files that it signs. */
export const signatureFile = "signature.json";

/** Line of the signed text, without control characters, so that it cannot add lines. */
const line = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\u2028\u2029]+$/u, "must be one line");
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "must be a plain file name");
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Shape of `signature.json`. Keys and signatures are base64 of their raw bytes. */
const signatureSchema = z.strictObject({
  format: z.literal(1),
  publisher: line,
  /** Raw Ed25519 public key, 32 bytes. */
  publicKey: z.base64().length(44),
  /** Person who released the pack; null without a release for clinical use. */
  releasedBy: line.nullable(),
  signedAt: z.iso.datetime(),
  /** SHA-256 of every other file of the pack, by name. */
  files: z.record(fileName, sha256).refine((files) => Object.keys(files).length <= 64, "lists too many files"),
  signature: z.base64().length(88),
});

export type PackSignature = z.infer<typeof signatureSchema>;

/** Does not verify the signature. @throws AppError PACK_REFUSED with every invalid field */
export function parseSignature(json: string | Uint8Array): PackSignature {
  return shapedAs(signatureSchema, parseDocument(json, signatureFile), signatureFile);
}

/**
 * The signed bytes, UTF-8: one line each for the format, the publisher, the releasing person (`not-released` without
 * one) and the time, then one per file in byte order of the names, each ended by a line feed.
 *
 * @see docs/model-packs.md
 */
function signedBytes({
  publisher,
  releasedBy,
  signedAt,
  files,
}: Pick<PackSignature, "publisher" | "releasedBy" | "signedAt" | "files">): Buffer {
  const names = Object.keys(files).sort();
  const lines = [
    "corvet-pack-signature 1",
    `publisher ${publisher}`,
    releasedBy === null ? "not-released" : `released-by ${releasedBy}`,
    `signed-at ${signedAt}`,
    ...names.map((name) => `${files[name]} ${name}`),
  ];
  return Buffer.from(lines.map((text) => `${text}\n`).join(""));
}

export type PackStatement = Pick<PackSignature, "publisher" | "releasedBy" | "signedAt">;

/**
 * @param files  SHA-256 of each, by name
 * @throws AppError PACK_REFUSED for an invalid name or statement, INVALID_FIELD for another kind of key
 */
export function signPack(
  files: Readonly<Record<string, string>>,
  release: PackStatement,
  privateKey: KeyObject,
): PackSignature {
  assertEd25519(privateKey);
  const stated = { ...release, files: { ...files } };
  const signature = sign(null, signedBytes(stated), privateKey).toString("base64");
  const publicKey = rawPublicKey(createPublicKey(privateKey));
  return parseSignature(JSON.stringify({ format: 1, ...stated, publicKey, signature }));
}

export function isSignatureValid(signed: PackSignature): boolean {
  try {
    const key = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(signed.publicKey, "base64").toString("base64url") },
      format: "jwk",
    });
    return verify(null, signedBytes(signed), key, Buffer.from(signed.signature, "base64"));
  } catch {
    return false;
  }
}

/**
 * Reads a publisher's public key in any common form, PEM, or base64 of the same bytes or of the raw key. Returns base64
 * of the raw key, 32 bytes.
 *
 * @throws AppError INVALID_FIELD
 */
export function readPublicKey(given: string): string {
  const text = given.trim();
  if (text.includes("PRIVATE KEY")) throw new AppError("INVALID_FIELD", because("privateKeyGiven"));
  const bytes = Buffer.from(text, "base64");
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return bytes.toString("base64");
  try {
    const key = text.startsWith("-----")
      ? createPublicKey(text)
      : createPublicKey({ key: bytes, format: "der", type: "spki" });
    assertEd25519(key);
    return rawPublicKey(key);
  } catch (cause) {
    throw new AppError("INVALID_FIELD", because("noPublisherKey"), { cause });
  }
}

/** SHA-256 of the raw key in the form that users compare: pairs of hexadecimal digits. */
export function fingerprintOf(publicKey: string): string {
  const digest = createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("hex").toUpperCase();
  return (digest.match(/../g) ?? []).join(":");
}

function rawPublicKey(key: KeyObject): string {
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");
}

function assertEd25519(key: KeyObject): void {
  if (key.asymmetricKeyType !== "ed25519")
    throw new AppError("INVALID_FIELD", "Packs are signed with Ed25519; this key is of another type");
}
