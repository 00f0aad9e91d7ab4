import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { packManifestSchema, type PackFile, type PackKind, type PackManifest } from "./pack-manifest.ts";

/** Largest manifest and largest weight file that are read [bytes]. */
const maximumManifestBytes = 1 << 20;
const maximumFileBytes = 1 << 29;

/** A pack whose manifest is in order; its files have not been looked at yet. */
export type FoundPack = { readonly folder: string; readonly manifest: PackManifest };

/** A folder that wants to be a pack and is none. */
type UnreadablePack = {
  readonly folder: string;
  readonly name: string;
  readonly kind: PackKind | null;
  readonly reason: string;
};

/**
 * What lies in the pack folders: packs in the order of the folders, then by name; the first of two packs of one name
 * counts.
 */
export type PackDiscovery = { readonly packs: readonly FoundPack[]; readonly refused: readonly UnreadablePack[] };

/**
 * Looks for packs. A folder that does not exist holds none; a broken pack never hides the others.
 *
 * @param folders  the program's pack folder first, then the user's
 */
export function discoverPacks(folders: readonly string[]): PackDiscovery {
  const packs: FoundPack[] = [];
  const refused: UnreadablePack[] = [];
  for (const folder of folders.flatMap(packFolders)) {
    try {
      const manifest = readManifest(folder);
      const twin = packs.find((pack) => pack.manifest.name === manifest.name);
      if (twin)
        refused.push({
          folder,
          name: manifest.name,
          kind: manifest.kind,
          reason: `a pack of this name is in ${twin.folder}`,
        });
      else packs.push({ folder, manifest });
    } catch (error) {
      refused.push({
        folder,
        name: path.basename(folder),
        kind: null,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return { packs, refused };
}

/**
 * Bytes of a pack's file after checking them against the manifest.
 *
 * @throws AppError PACK_REFUSED when the file is missing, a link, too large or not the one that the manifest means
 */
export function readPackFile(folder: string, { file, sha256 }: PackFile): Buffer {
  const bytes = readPlainFile(path.join(folder, file), file, maximumFileBytes);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new AppError("PACK_REFUSED", `${file} does not have the sha256 that the manifest states`);
  return bytes;
}

/**
 * Reads text as a manifest.
 *
 * @throws AppError PACK_REFUSED naming every field at fault
 */
export function parseManifest(json: string): PackManifest {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new AppError("PACK_REFUSED", "manifest.json is not JSON");
  }
  const parsed = packManifestSchema.safeParse(value);
  if (!parsed.success)
    throw new AppError("PACK_REFUSED", `manifest.json: ${z.prettifyError(parsed.error).replaceAll("\n", " ")}`);
  return parsed.data;
}

function readManifest(folder: string): PackManifest {
  return parseManifest(
    readPlainFile(path.join(folder, "manifest.json"), "manifest.json", maximumManifestBytes).toString("utf8"),
  );
}

/** A link could lead out of the pack, so only plain files are read. */
function readPlainFile(file: string, name: string, maximumBytes: number): Buffer {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) throw new AppError("PACK_REFUSED", `${name} is missing`);
  if (!stat.isFile()) throw new AppError("PACK_REFUSED", `${name} is not a plain file`);
  if (stat.size > maximumBytes) throw new AppError("PACK_REFUSED", `${name} is larger than ${maximumBytes} bytes`);
  return readFileSync(file);
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
