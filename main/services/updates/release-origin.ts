/**
 * Public keys whose releases this program installs: base64 of raw Ed25519 keys. Empty until the owner has made one;
 * such a program takes no updates. Two are listed while a key is replaced.
 *
 * @see docs/installers.md
 */
export const releaseKeys: readonly string[] = [];

/** Folder on the web in which the newest release lies; null until there is one. A clinic can name a mirror. */
export const releaseFeed: string | null = null;

/** Name of the signed statement, beside the installers and inside an update file. */
export const statementName = "corvet-release.json";

/** How a file with an update ends. */
export const updateFileExtension = "corvet-update";
