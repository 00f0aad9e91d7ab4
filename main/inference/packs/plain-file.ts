import { lstatSync, readFileSync } from "node:fs";
import { AppError } from "../../../core/app-error.ts";

/**
 * Bytes of a file of a pack. A link could lead out of the pack, so only plain files are read.
 *
 * @throws AppError PACK_REFUSED when it is missing, no plain file or too large
 */
export function readPlainFile(file: string, name: string, maximumBytes: number): Buffer {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) throw new AppError("PACK_REFUSED", `${name} is missing`);
  if (!stat.isFile()) throw new AppError("PACK_REFUSED", `${name} is not a plain file`);
  if (stat.size > maximumBytes) throw new AppError("PACK_REFUSED", `${name} is larger than ${maximumBytes} bytes`);
  return readFileSync(file);
}
