import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { AppError, reasonInEnglish } from "../../../core/app-error.ts";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";
import { verifyRecord } from "../record/record-verification.ts";
import { countLedgerEvents } from "./ledger-reports.ts";
import { appendStatement } from "./ledger-statements.ts";
import { readLedger } from "./ledger-verification.ts";
import { replaceVolumes } from "./monthly-volumes.ts";
import { moveAnchor, readNotedHead, type RecordHead } from "./record-anchor.ts";
import { fileExists, replacePrivateFile } from "../files/private-file.ts";

export type Continuation = {
  /** Required so that the administrator has read the verification. */
  readonly subject: string;
  readonly why: string;
  readonly by: string;
  readonly at: Date;
  /** Ed25519. */
  readonly privateKey: KeyObject;
};

/**
 * Appends a signed statement that names the first fault and the reason for accepting it. Verification then passes over
 * it. Once no other fault is left, updates the head noted outside the store. A last row dated later than the statement
 * also counts as broken; later rows continue from the statement's date.
 *
 * @throws AppError CONFLICT if the first fault is another one or the record is intact
 */
export async function continueRecord(db: WritableDb, decision: Continuation): Promise<LedgerStatement> {
  // Read the head first, so that rows added during verification do not count as a fault.
  const head = readNotedHead(db);
  const statement = await transaction(db, () => stateFirstFault(db, head, decision));
  if ((await verifyRecord(db, readNotedHead(db))).fault === null) await moveAnchor(db);
  return statement;
}

async function stateFirstFault(
  db: WritableDb,
  head: RecordHead | null,
  { subject, why, by, at, privateKey }: Continuation,
): Promise<LedgerStatement> {
  const { fault } = await verifyRecord(db, head, at);
  if (fault === null) throw new AppError("CONFLICT", "The record is intact; there is nothing to accept.");
  const problem = reasonInEnglish(fault.problem);
  if (fault.subject !== subject)
    throw new AppError("CONFLICT", `The first fault is at ${fault.subject}, not ${subject}: ${problem}.`);
  const { found, lostUpTo } = fault;
  const unsigned = { subject, problem, found, lostUpTo, why, by, at: at.toISOString() };
  const statement = await appendStatement(db, unsigned, privateKey);
  await recordAudit(db, { action: "record.continued", at, subject, detail: { why, by } });
  const reading = await readLedger(db, head);
  // Update the counts if every row could be read; otherwise keep them.
  if (reading.rows === (await countLedgerEvents(db))) await replaceVolumes(db, reading.volumes);
  return statement;
}

export function statementKey(dataDir: string): KeyObject {
  const file = path.join(dataDir, "statement.key");
  if (!fileExists(file)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    replacePrivateFile(file, privateKey.export({ format: "pem", type: "pkcs8" }));
  }
  return createPrivateKey(readFileSync(file));
}
