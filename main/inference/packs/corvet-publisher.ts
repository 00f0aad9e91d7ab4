/**
 * Public key under which the program's own packs are signed: base64 of the raw Ed25519 key. null until its owner has
 * made one; builds are unsigned until then. A clinic adds it like any other publisher's.
 *
 * @see docs/model-packs.md
 */
export const corvetPublicKey: string | null = null;
