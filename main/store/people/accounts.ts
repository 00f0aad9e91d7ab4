import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";
import { lowered } from "../search/like-pattern.ts";
import type { Tables } from "../tables.ts";

/** A clinic: its keys share one volume, history and recheck grace. `createdAtMs` is UTC. */
export type Account = Readonly<Pick<Selectable<Tables["accounts"]>, (typeof columns)[number]>>;

/** Account of keys and statements created without naming one. */
export const defaultAccountName = "Clinic";

const columns = ["id", "name", "createdAtMs"] as const;

export async function listAccounts(db: ReadableDb): Promise<readonly Account[]> {
  const accounts = db.selectFrom("accounts").select(columns);
  return await accounts.orderBy((row) => row.fn("lower", ["name"])).execute();
}

/** Ignores the case of A to Z. */
export async function findAccount(db: ReadableDb, name: string): Promise<Account | null> {
  const accounts = db.selectFrom("accounts").select(columns);
  const named = accounts.where((row) =>
    row(row.fn<string>("lower", ["nameNfc"]), "=", lowered(comparedIdentifier(name))),
  );
  return (await named.executeTakeFirst()) ?? null;
}

/** @param name  compared as an identifier, ignoring the case of A to Z */
export function ensureAccount(
  db: WritableDb,
  { name, at }: { readonly name: string; readonly at: Date },
): Promise<Account> {
  return transaction(db, async () => {
    const found = await findAccount(db, name);
    if (found) return found;
    const account = { id: randomUUID(), name, createdAtMs: at.getTime() };
    await db
      .insertInto("accounts")
      .values({ ...account, nameNfc: comparedIdentifier(name) })
      .execute();
    await recordAudit(db, { action: "account.created", at, subject: account.id, detail: { name } });
    return account;
  });
}
