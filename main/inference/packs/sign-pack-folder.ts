import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../../core/app-error.ts";
import { readManifest } from "./discover-packs.ts";
import { readPackFile } from "./pack-files.ts";
import { filesOf, type PackManifest } from "./pack-manifest.ts";
import { signatureFile, signPack, type PackStatement } from "./pack-signature.ts";

export function assertPackFiles(folder: string, manifest: PackManifest): void {
  for (const file of filesOf(manifest)) readPackFile(folder, file);
}

/**
 * Signs a pack in its folder and replaces an earlier signature, which stays if the pack is refused or the disk is full.
 *
 * @throws AppError PACK_REFUSED for an invalid pack, INVALID_FIELD for an unsuitable key
 */
export function signPackFolder(folder: string, privateKeyPem: string, release: PackStatement): void {
  const key = readPrivateKey(privateKeyPem);
  assertPackFiles(folder, readManifest(folder));
  const unfinishedFile = `${signatureFile}.new`;
  const names = readdirSync(folder).filter((name) => name !== signatureFile && name !== unfinishedFile);
  const files = names.map((name) => {
    const bytes = readFileSync(path.join(folder, name));
    return [name, createHash("sha256").update(bytes).digest("hex")] as const;
  });
  const signed = signPack(Object.fromEntries(files), release, key);
  const unfinished = path.join(folder, unfinishedFile);
  try {
    writeFileSync(unfinished, `${JSON.stringify(signed, null, 2)}\n`);
    renameSync(unfinished, path.join(folder, signatureFile));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new AppError("INVALID_FIELD", "The key is not a private key in PEM", { cause });
  }
}
