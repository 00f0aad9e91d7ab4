import { isStoreUnavailable } from "../../../core/system-fault.ts";
import { authenticateKey, hashKey, revokedOf, type Caller } from "../../store/people/api-keys.ts";
import type { WritableDb } from "../../store/database.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** Time for which a verified key stays valid while the store is unavailable [ms]. */
const cacheMs = 60 * 60_000;

/** Callers by key hash, with the time of their last verification; in memory only. */
const cachedCallers = new WeakMap<WritableDb, Map<string, { readonly caller: Caller; readonly atMs: number }>>();

export function forgetCaller(db: WritableDb, keyId: string): void {
  const known = cachedCallers.get(db);
  for (const [hash, { caller }] of known ?? []) if (caller.keyId === keyId) known?.delete(hash);
}

/** Forgets keys revoked by a command or another workstation. */
export async function forgetRevoked(db: WritableDb): Promise<void> {
  const keyIds = new Set([...(cachedCallers.get(db) ?? [])].map(([, { caller }]) => caller.keyId));
  for (const keyId of await revokedOf(db, [...keyIds])) forgetCaller(db, keyId);
}

/**
 * Authenticates a key on every call. While a database is unavailable, callers of the last hour are accepted until their
 * key is found to be revoked; their calls are measured and not charged, as with a ledger that cannot be written.
 *
 * @returns null for an unknown or revoked key
 * @throws AppError STORE_UNAVAILABLE, STORE_BUSY for a key that is not cached
 */
export async function findCaller(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  presentedKey: string,
): Promise<Caller | null> {
  const known = cachedCallers.get(db) ?? new Map<string, { caller: Caller; atMs: number }>();
  cachedCallers.set(db, known);
  const hash = hashKey(presentedKey).toString("hex");
  try {
    const caller = await authenticateKey(db, presentedKey, now());
    if (caller) known.set(hash, { caller, atMs: performance.now() });
    else known.delete(hash);
    return caller;
  } catch (error) {
    const last = known.get(hash);
    if (!isStoreUnavailable(error) || !last || performance.now() - last.atMs > cacheMs) throw error;
    return last.caller;
  }
}
