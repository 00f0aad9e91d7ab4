import { filmSizeLimitBytes } from "../../../core/contract/desktop/routes.ts";

/** Limits for unpacking one archive: the size of a CD. */
export const archiveLimits = {
  files: 10_000,
  fileBytes: filmSizeLimitBytes,
  totalBytes: 8 * 1024 * 1024 * 1024,
} as const;

export const folderFileLimit = 50_000;
