import { isStoreAway } from "../../../core/system-fault.ts";
import { authenticateKey, hashKey, revokedOf, type Caller } from "../../store/api-keys.ts";
import type { WritableDb } from "../../store/database.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** How long a verified key stays valid while the store is unavailable [ms]. */
const rememberedMs = 60 * 60_000;

/** Callers by their key's hash, and when the store last knew them; of the running program alone. */
const remembered = new WeakMap<WritableDb, Map<string, { readonly caller: Caller; readonly atMs: number }>>();

/** A key was revoked in a window: it is not taken for good any longer while the store is away. */
export function forgetCaller(db: WritableDb, keyId: string): void {
  const known = remembered.get(db);
  for (const [hash, { caller }] of known ?? []) if (caller.keyId === keyId) known?.delete(hash);
}

/** Forgets keys revoked by a command or another workstation. */
export async function forgetRevoked(db: WritableDb): Promise<void> {
  const keyIds = new Set([...(remembered.get(db) ?? [])].map(([, { caller }]) => caller.keyId));
  for (const keyId of await revokedOf(db, [...keyIds])) forgetCaller(db, keyId);
}

/**
 * Who presents a key, asked again for every call. While a database is away, who called within the last hour is
 * remembered until it is seen to be revoked: such a call is measured and not charged, as with a ledger that cannot be
 * written.
 *
 * @returns null for an unknown or revoked key
 * @throws AppError STORE_UNAVAILABLE, STORE_BUSY for a key that is not remembered
 */
export async function findCaller(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  presentedKey: string,
): Promise<Caller | null> {
  const known = remembered.get(db) ?? new Map<string, { caller: Caller; atMs: number }>();
  remembered.set(db, known);
  const hash = hashKey(presentedKey).toString("hex");
  try {
    const caller = await authenticateKey(db, presentedKey, now());
    if (caller) known.set(hash, { caller, atMs: performance.now() });
    else known.delete(hash);
    return caller;
  } catch (error) {
    const last = known.get(hash);
    if (!isStoreAway(error) || !last || performance.now() - last.atMs > rememberedMs) throw error;
    return last.caller;
  }
}
