import { createPublicKey, randomUUID, sign, verify, type KeyObject } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { billingPeriodOf } from "../../../core/billing/billing-period.ts";
import {
  ledgerStatementSchema,
  signedStatementText,
  type LedgerStatement,
  type UnsignedStatement,
} from "../../../core/billing/ledger-statement.ts";
import { currency } from "../../../core/billing/tariff.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { appendSealed } from "./ledger.ts";

/** Every statement in the ledger whose signature holds, in order. */
export function listStatements(db: ReadableDb): readonly LedgerStatement[] {
  const notes = db.prepare("SELECT note FROM ledger WHERE kind = 'statement' ORDER BY seq").pluck().all();
  return notes.flatMap((note) => readStatement(String(note)) ?? []);
}

/** A statement out of a ledger row's note; null where it is none or its signature does not hold. */
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
 * Appends an administrator's statement, signed. It is dated as its maker says: a ledger whose last row was dated by a
 * wrong clock goes on from here.
 *
 * @param privateKey  Ed25519
 * @throws AppError ACCOUNT_NOT_FOUND where there is no account yet
 */
export function appendStatement(db: WritableDb, statement: UnsignedStatement, privateKey: KeyObject): LedgerStatement {
  const signed = {
    ...statement,
    publicKey: createPublicKey(privateKey).export({ format: "der", type: "spki" }).toString("base64"),
    signature: sign(null, Buffer.from(signedStatementText(statement)), privateKey).toString("base64"),
  };
  const at = new Date(statement.at);
  appendSealed(db, {
    kind: "statement",
    callId: `statement-${randomUUID()}`,
    accountId: accountOf(db, statement.subject),
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
  });
  return signed;
}

/** The account of the row in question; where that is lost, the last row's, or any. */
function accountOf(db: ReadableDb, subject: string): string {
  const found = db
    .prepare(
      `SELECT account_id FROM ledger WHERE seq = ?
       UNION ALL SELECT account_id FROM (SELECT account_id FROM ledger ORDER BY seq DESC LIMIT 1)
       UNION ALL SELECT id FROM (SELECT id FROM accounts ORDER BY created_at_ms LIMIT 1)`,
    )
    .pluck()
    .get(/^\d+$/.test(subject) ? Number(subject) : 0);
  if (found === undefined) throw new AppError("ACCOUNT_NOT_FOUND", "There is no account to state this for");
  return z.string().parse(found);
}
