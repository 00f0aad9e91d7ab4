import { randomUUID } from "node:crypto";
import { z } from "zod";
import { comparedIdentifier } from "../../core/identifiers.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";

const accountSchema = z.object({ id: z.string(), name: z.string(), createdAtMs: z.int() });

/** A clinic: its keys share one volume, history and recheck grace. `createdAtMs` is UTC. */
export type Account = Readonly<z.infer<typeof accountSchema>>;

const accountOrNone = accountSchema.optional();
const accountsSchema = z.array(accountSchema);
const columns = "id, name, created_at_ms AS createdAtMs";

/** All accounts by name. */
export function listAccounts(db: ReadableDb): readonly Account[] {
  return accountsSchema.parse(db.prepare(`SELECT ${columns} FROM accounts ORDER BY name`).all());
}

/** The account of that name, upper and lower case alike; null when there is none. */
export function findAccount(db: ReadableDb, name: string): Account | null {
  return (
    accountOrNone.parse(
      db.prepare(`SELECT ${columns} FROM accounts WHERE name_nfc = ?`).get(comparedIdentifier(name)),
    ) ?? null
  );
}

/**
 * The account of that name, made when there is none yet.
 *
 * @param name  an identifier; upper and lower case of A to Z count as the same
 */
export function ensureAccount(db: WritableDb, { name, at }: { readonly name: string; readonly at: Date }): Account {
  const ensure = db.transaction(() => {
    const found = findAccount(db, name);
    if (found) return found;
    const account = { id: randomUUID(), name, createdAtMs: at.getTime() };
    db.prepare(
      "INSERT INTO accounts (id, name, name_nfc, created_at_ms) VALUES (:id, :name, :compared, :createdAtMs)",
    ).run({ ...account, compared: comparedIdentifier(name) });
    return account;
  });
  return ensure.immediate();
}
