import { createPublicKey, randomUUID, sign, verify, type KeyObject } from "node:crypto";
import { billingPeriodOf } from "../../../core/billing/billing-period.ts";
import {
  ledgerStatementSchema,
  signedStatementText,
  type LedgerStatement,
  type UnsignedStatement,
} from "../../../core/billing/ledger-statement.ts";
import { currency } from "../../../core/billing/tariff.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";
import { defaultAccountName, ensureAccount } from "../people/accounts.ts";
import { appendSealed } from "./ledger.ts";

/** Statements with a valid signature, in order. */
export async function listStatements(db: ReadableDb): Promise<readonly LedgerStatement[]> {
  const rows = await db.selectFrom("ledger").select("note").where("kind", "=", "statement").orderBy("seq").execute();
  return rows.flatMap(({ note }) => readStatement(note) ?? []);
}

/** Null without a statement or with an invalid signature. */
export function readStatement(note: string | null): LedgerStatement | null {
  try {
    const statement = ledgerStatementSchema.parse(JSON.parse(note ?? ""));
    const key = createPublicKey({ key: Buffer.from(statement.publicKey, "base64"), format: "der", type: "spki" });
    const isSigned = verify(
      null,
      Buffer.from(signedStatementText(statement)),
      key,
      Buffer.from(statement.signature, "base64"),
    );
    return isSigned ? statement : null;
  } catch {
    return null;
  }
}

/**
 * Appends a statement dated by the caller: if the last row was dated by a wrong clock, the ledger continues from this
 * date.
 *
 * @param privateKey  Ed25519
 */
export async function appendStatement(
  db: WritableDb,
  statement: UnsignedStatement,
  privateKey: KeyObject,
): Promise<LedgerStatement> {
  const signed = {
    ...statement,
    publicKey: createPublicKey(privateKey).export({ format: "der", type: "spki" }).toString("base64"),
    signature: sign(null, Buffer.from(signedStatementText(statement)), privateKey).toString("base64"),
  };
  const at = new Date(statement.at);
  await transaction(db, async () =>
    appendSealed(db, {
      kind: "statement",
      callId: `statement-${randomUUID()}`,
      accountId: await accountOf(db, statement.subject, at),
      keyId: null,
      service: "cardiac",
      callType: "single",
      uuid: null,
      atMs: at.getTime(),
      period: billingPeriodOf(at),
      ordinal: null,
      tier: "paygo",
      amountCents: null,
      currency,
      reverses: null,
      note: JSON.stringify(signed),
      measurementId: null,
    }),
  );
  return signed;
}

async function accountOf(db: WritableDb, subject: string, at: Date): Promise<string> {
  const rows = db.selectFrom("ledger").select("accountId");
  const named = /^\d+$/.test(subject) ? rows.where("seq", "=", Number(subject)) : null;
  const last = rows.orderBy("seq", "desc").limit(1);
  const oldest = db.selectFrom("accounts").select("id as accountId").orderBy("createdAtMs").limit(1);
  const found =
    (await named?.executeTakeFirst()) ?? (await last.executeTakeFirst()) ?? (await oldest.executeTakeFirst());
  return found?.accountId ?? (await ensureAccount(db, { name: defaultAccountName, at })).id;
}
