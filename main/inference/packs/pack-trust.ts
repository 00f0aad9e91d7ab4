import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import type { PackRelease } from "../../../core/cardiac/verdict/provenance.ts";
import { filesOf, type PackManifest } from "./pack-manifest.ts";
import { fingerprintOf, isSignatureValid, parseSignature, signatureFile } from "./pack-signature.ts";
import { readPlainFile } from "./pack-files.ts";

/** A publisher that the clinic has added: the clinic's name for it, and base64 of the raw public key. */
export type Publisher = { readonly name: string; readonly publicKey: string };

export type PackOrigin = {
  /** The clinic's name for an added publisher, otherwise the signature's. */
  readonly publisher: string;
  readonly fingerprint: string;
  readonly isKnown: boolean;
  readonly releasedBy: string | null;
  readonly signedAt: string;
};

/** Maximum size of a file other than a network, and of a signature [bytes]. */
const maximumSideFileBytes = 32 * 1024 * 1024;
const maximumSignatureBytes = 1 << 16;

/**
 * Checks a pack's signature, every file that is not a network against it, and the networks' hashes in the manifest. The
 * networks themselves are compared with the manifest when they are loaded. null without a signature.
 *
 * @throws AppError PACK_REFUSED if the signature is invalid or does not match the files
 */
export function readOrigin(
  folder: string,
  manifest: PackManifest,
  manifestSha256: string,
  publishers: readonly Publisher[],
): PackOrigin | null {
  const names = readdirSync(folder).sort();
  if (!names.includes(signatureFile)) return null;
  const signed = parseSignature(readPlainFile(path.join(folder, signatureFile), signatureFile, maximumSignatureBytes));
  if (!isSignatureValid(signed)) throw new AppError("PACK_REFUSED", because("packSignatureWrong"));
  const listed = new Map(Object.entries(signed.files));
  const known = knownHashes(manifest, manifestSha256);
  for (const name of names.filter((each) => each !== signatureFile)) {
    const found = known.get(name) ?? hashOf(readPlainFile(path.join(folder, name), name, maximumSideFileBytes));
    if (!listed.has(name)) throw new AppError("PACK_REFUSED", because("packFileUnsigned", { name }));
    if (listed.get(name) !== found) throw new AppError("PACK_REFUSED", because("packFileOther", { name }));
    listed.delete(name);
  }
  const [missing] = listed.keys();
  if (missing !== undefined) throw new AppError("PACK_REFUSED", because("packFileGone", { name: missing }));
  const publisher = publishers.find(({ publicKey }) => publicKey === signed.publicKey);
  return {
    publisher: publisher?.name ?? signed.publisher,
    fingerprint: fingerprintOf(signed.publicKey),
    isKnown: publisher !== undefined,
    releasedBy: signed.releasedBy,
    signedAt: signed.signedAt,
  };
}

/** Release of a clinically validated pack, which requires an added publisher and a person; otherwise null. */
export function releaseOf(isClaimed: boolean, origin: PackOrigin | null): PackRelease | null {
  if (!isClaimed || !origin?.isKnown || origin.releasedBy === null) return null;
  return { publisher: origin.publisher, fingerprint: origin.fingerprint, releasedBy: origin.releasedBy };
}

function knownHashes(manifest: PackManifest, manifestSha256: string): ReadonlyMap<string, string> {
  return new Map([
    ["manifest.json", manifestSha256],
    ...filesOf(manifest).map(({ file, sha256 }) => [file, sha256] as const),
  ]);
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
