import { isStoreUnavailable } from "../../../core/system-fault.ts";
import { authenticateKey, hashKey, revokedOf, type Caller } from "../../store/people/api-keys.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** Time for which a verified key stays valid while the store is unavailable [ms]. */
const cacheMs = 60 * 60_000;

export function forgetCaller({ callers }: Pick<ServiceContext, "callers">, keyId: string): void {
  for (const [hash, { caller }] of callers) if (caller.keyId === keyId) callers.delete(hash);
}

export async function forgetRevoked({ db, callers }: Pick<ServiceContext, "db" | "callers">): Promise<void> {
  const keyIds = new Set([...callers.values()].map(({ caller }) => caller.keyId));
  for (const keyId of await revokedOf(db, [...keyIds])) forgetCaller({ callers }, keyId);
}

/**
 * Authenticates a key on every call. While a database is unavailable, callers of the last hour are accepted; their
 * calls are measured and not charged, as with a ledger that cannot be written.
 *
 * @returns null for an unknown or revoked key
 * @throws AppError STORE_UNAVAILABLE, STORE_BUSY for a key that is not cached
 */
export async function findCaller(
  { db, callers, now }: Pick<ServiceContext, "db" | "callers" | "now">,
  presentedKey: string,
): Promise<Caller | null> {
  const hash = hashKey(presentedKey).toString("hex");
  try {
    const caller = await authenticateKey(db, presentedKey, now());
    if (caller) callers.set(hash, { caller, atMs: performance.now() });
    else callers.delete(hash);
    return caller;
  } catch (error) {
    const last = callers.get(hash);
    if (!isStoreUnavailable(error) || !last || performance.now() - last.atMs > cacheMs) throw error;
    return last.caller;
  }
}
