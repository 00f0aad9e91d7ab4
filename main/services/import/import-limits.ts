/** Largest file that is opened [bytes]. */
export const filmSizeLimitBytes = 256 * 1024 * 1024;

/** What is unpacked of one archive at most: a CD's worth of films. */
export const archiveLimits = {
  files: 10_000,
  fileBytes: filmSizeLimitBytes,
  totalBytes: 8 * 1024 * 1024 * 1024,
} as const;

/** Most files of a folder that are looked at. */
export const folderFileLimit = 50_000;
