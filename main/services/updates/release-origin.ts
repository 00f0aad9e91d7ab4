/**
 * Public keys whose releases this program installs: base64 of raw Ed25519 keys. Empty until the owner has made one;
 * such a program takes no updates. Two are listed while a key is replaced.
 *
 * @see docs/installers.md
 */
export const releaseKeys: readonly string[] = [];

/** Web folder of the newest release; null until one exists. A clinic can configure a mirror. */
export const releaseFeed: string | null = null;

/** File name of the signed statement, next to the installers and in update files. */
export const statementName = "corvet-release.json";

export const updateFileExtension = "corvet-update";
