import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import type { PackFile } from "./pack-manifest.ts";

const maximumFileBytes = 1 << 29;

/**
 * A link could lead out of the pack, so only plain files are read.
 *
 * @throws AppError PACK_REFUSED if it is missing, not a plain file or too large
 */
export function readPlainFile(file: string, name: string, maximumBytes: number): Buffer {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) throw new AppError("PACK_REFUSED", because("packFileMissing", { name }));
  if (!stat.isFile()) throw new AppError("PACK_REFUSED", because("packFileNotPlain", { name }));
  if (stat.size > maximumBytes)
    throw new AppError("PACK_REFUSED", because("packFileTooLarge", { name, bytes: maximumBytes }));
  return readFileSync(file);
}

/** @throws AppError PACK_REFUSED if the file is missing, a link, too large or not the one in the manifest */
export function readPackFile(folder: string, { file, sha256 }: PackFile): Buffer {
  const bytes = readPlainFile(path.join(folder, file), file, maximumFileBytes);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new AppError("PACK_REFUSED", because("packHashWrong", { name: file }));
  return bytes;
}
