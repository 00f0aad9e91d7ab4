/**
 * Public keys whose releases this program installs: raw Ed25519 keys in Base64. Empty until the owner has created one;
 * a program without keys installs no updates. Two are listed while a key is being replaced.
 *
 * @see docs/installers.md
 */
export const releaseKeys: readonly string[] = [];

/** Web folder of the newest release; null until one exists. A clinic can configure a mirror. */
export const releaseFeed: string | null = null;

/** File name of the signed statement, next to the installers and in update files. */
export const statementName = "corvet-release.json";

export const updateFileExtension = "corvet-update";
