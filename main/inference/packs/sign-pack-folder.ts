import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { readPack, readPackFile } from "./discover-packs.ts";
import { filesOf, type PackManifest } from "./pack-manifest.ts";
import { signatureFile, signPack, type PackRelease } from "./pack-signature.ts";

/** Compares every network of a pack with its manifest. @throws AppError PACK_REFUSED */
export function assertPackFiles(folder: string, manifest: PackManifest): void {
  for (const file of filesOf(manifest)) readPackFile(folder, file);
}

/**
 * Signs a pack in its folder and replaces an earlier signature.
 *
 * @param privateKeyPem  Ed25519
 * @throws AppError PACK_REFUSED for an invalid pack, INVALID_FIELD for an unsuitable key
 */
export function signPackFolder(folder: string, privateKeyPem: string, release: PackRelease): void {
  const key = readPrivateKey(privateKeyPem);
  rmSync(path.join(folder, signatureFile), { force: true });
  assertPackFiles(folder, readPack(folder).manifest);
  const files = readdirSync(folder).map((name) => {
    const bytes = readFileSync(path.join(folder, name));
    return [name, createHash("sha256").update(bytes).digest("hex")] as const;
  });
  const signed = signPack(Object.fromEntries(files), release, key);
  writeFileSync(path.join(folder, signatureFile), `${JSON.stringify(signed, null, 2)}\n`);
}

function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new AppError("INVALID_FIELD", "The key is not a private key in PEM", { cause });
  }
}
