import { access, constants } from "node:fs/promises";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import type { FolderSettings } from "../../../core/contract/desktop/practice/folders.ts";
import { isWithin } from "../import/is-within.ts";

/** @throws AppError INVALID_FIELD for relative paths, and folders that overlap with each other or the data directory */
export function assertFolders({ folders, outbox }: FolderSettings, dataDir: string): void {
  const named = [...folders.map((folder) => folder.path), ...(outbox === null ? [] : [outbox])];
  const relative = named.find((folder) => !path.isAbsolute(folder));
  if (relative !== undefined) throw new AppError("INVALID_FIELD", because("folderNotWhole", { folder: relative }));
  const all = [...named, dataDir].map((folder) => path.resolve(folder));
  for (const [index, one] of all.entries())
    for (const other of all.slice(index + 1))
      if (isWithin(one, other) || isWithin(other, one))
        throw new AppError("INVALID_FIELD", because("foldersOverlap", { one, other }));
}

export async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
