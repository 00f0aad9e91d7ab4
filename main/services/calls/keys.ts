import { randomBytes } from "node:crypto";
import { ensureAccount } from "../../store/people/accounts.ts";
import { hashKey, insertApiKey } from "../../store/people/api-keys.ts";
import type { WritableDb } from "../../store/database.ts";
import { transaction } from "../../store/engines/engine.ts";

/** `key` is shown once and cannot be recovered. */
export type CreatedKey = { readonly keyId: string; readonly key: string; readonly accountId: string };

/** Creates a key for an account, and the account if it is new. Only the key's SHA-256 is stored. */
export async function createKey(
  db: WritableDb,
  { accountName, name, at }: { readonly accountName: string; readonly name: string; readonly at: Date },
): Promise<CreatedKey> {
  const key = `corvet_${randomBytes(32).toString("base64url")}`;
  const keyId = randomBytes(6).toString("hex");
  const accountId = await transaction(db, async () => {
    const account = await ensureAccount(db, { name: accountName, at });
    await insertApiKey(db, { id: keyId, accountId: account.id, name, keySha256: hashKey(key) }, at);
    return account.id;
  });
  return { keyId, key, accountId };
}
