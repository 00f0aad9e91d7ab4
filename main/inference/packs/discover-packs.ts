import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { AppError, because, reasonInEnglish, type Reason } from "../../../core/app-error.ts";
import { parseDocument, shapedAs } from "./pack-document.ts";
import { readPlainFile } from "./pack-files.ts";
import { readOrigin, releaseOf, type PackOrigin, type Publisher } from "./pack-trust.ts";
import { packManifestSchema, type PackKind, type PackManifest } from "./pack-manifest.ts";

const manifestFile = "manifest.json";
const maximumManifestBytes = 1 << 20;

/**
 * A pack with a valid manifest and signature, before its networks are loaded. The manifest claims clinical validation
 * only if a trusted release covers it: see `release`.
 */
export type FoundPack = {
  readonly folder: string;
  readonly manifest: PackManifest;
  readonly origin: PackOrigin | null;
};

export type PackStatus = {
  readonly kind: PackKind | null;
  readonly name: string;
  /** null for a pack that cannot be read. */
  readonly version: string | null;
  readonly folder: string;
  readonly state: "active" | "available" | "refused";
  /** Reason of the refusal in English; null if not refused. */
  readonly reason: string | null;
  /** The same, translatable; null if not refused or if only an English text exists. */
  readonly why: Reason | null;
};

/** Packs in the folders' order, then by name; the first of two packs of one name is used. */
export type PackDiscovery = { readonly packs: readonly FoundPack[]; readonly refused: readonly PackStatus[] };

export function statusOf(
  { folder, manifest: { kind, name, version } }: FoundPack,
  state: PackStatus["state"],
  refusal: AppError | null = null,
): PackStatus {
  return { kind, name, version, folder, state, reason: refusal?.message ?? null, why: refusal?.reason ?? null };
}

/** The pack of the given name before the others. */
export function wantedFirst<Pack extends FoundPack>(packs: readonly Pack[], name: string | null): readonly Pack[] {
  return packs.toSorted((a, b) => Number(b.manifest.name === name) - Number(a.manifest.name === name));
}

/**
 * Finds the packs in the folders, the program's first. A missing folder counts as empty; a broken pack does not affect
 * the others. `publishers`: those that the clinic has added.
 */
export function discoverPacks(folders: readonly string[], publishers: readonly Publisher[] = []): PackDiscovery {
  const packs: FoundPack[] = [];
  const refused: PackStatus[] = [];
  for (const folder of folders.flatMap(packFolders)) {
    try {
      const { manifest, origin } = readPack(folder, publishers);
      const twin = packs.find((pack) => pack.manifest.name === manifest.name);
      if (twin) {
        const { name, kind } = manifest;
        const why = because("packTwin", { folder: twin.folder });
        refused.push({ kind, name, version: null, folder, state: "refused", reason: reasonInEnglish(why), why });
      } else packs.push({ folder, manifest, origin });
    } catch (error) {
      refused.push({
        kind: null,
        name: path.basename(folder),
        version: null,
        folder,
        state: "refused",
        reason: error instanceof Error ? error.message : String(error),
        why: error instanceof AppError ? error.reason : null,
      });
    }
  }
  return { packs, refused };
}

/** @throws AppError PACK_REFUSED with every invalid field */
export function parseManifest(json: string | Uint8Array): PackManifest {
  return shapedAs(packManifestSchema, parseDocument(json, manifestFile), manifestFile);
}

/** Reads a pack's manifest without its signature. @throws AppError PACK_REFUSED */
export function readManifest(folder: string): PackManifest {
  return parseManifest(readPlainFile(path.join(folder, manifestFile), manifestFile, maximumManifestBytes));
}

/** Reads a pack's manifest and signature. @throws AppError PACK_REFUSED */
export function readPack(
  folder: string,
  publishers: readonly Publisher[] = [],
): Pick<FoundPack, "manifest" | "origin"> {
  const bytes = readPlainFile(path.join(folder, manifestFile), manifestFile, maximumManifestBytes);
  const manifest = parseManifest(bytes);
  const origin = readOrigin(folder, manifest, createHash("sha256").update(bytes).digest("hex"), publishers);
  const release = releaseOf(manifest.clinicallyValidated, origin);
  // Replace a release that the manifest itself may contain.
  return { manifest: { ...manifest, clinicallyValidated: release !== null, release: release ?? undefined }, origin };
}

function packFolders(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name);
  return names.sort().map((name) => path.join(folder, name));
}
