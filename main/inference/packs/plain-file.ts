import { lstatSync, readFileSync } from "node:fs";
import { AppError, because } from "../../../core/app-error.ts";

/**
 * Bytes of a file of a pack. A link could lead out of the pack, so only plain files are read.
 *
 * @throws AppError PACK_REFUSED when it is missing, no plain file or too large
 */
export function readPlainFile(file: string, name: string, maximumBytes: number): Buffer {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) throw new AppError("PACK_REFUSED", because("packFileMissing", { name }));
  if (!stat.isFile()) throw new AppError("PACK_REFUSED", because("packFileNotPlain", { name }));
  if (stat.size > maximumBytes)
    throw new AppError("PACK_REFUSED", because("packFileTooLarge", { name, bytes: maximumBytes }));
  return readFileSync(file);
}
