/**
 * Raw Ed25519 keys in Base64. A program without keys installs no updates. Two are listed while a key is being replaced.
 *
 * @see docs/installers.md
 */
export const releaseKeys: readonly string[] = [];

/** Null until a release exists. A clinic can configure a mirror. */
export const releaseFeed: string | null = null;

/** Next to the installers and in update files. */
export const statementName = "corvet-release.json";

export const updateFileExtension = "corvet-update";
