/**
 * Public key of the signatures on Corvet's own packs: base64 of the raw Ed25519 key. null until the key has been
 * created; the packs are unsigned until then. A clinic adds it like any other publisher's.
 *
 * @see docs/model-packs.md
 */
export const corvetPublicKey: string | null = null;
