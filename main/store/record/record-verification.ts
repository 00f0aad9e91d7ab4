import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { snapshot } from "../engines/engine.ts";
import { listStatements } from "../ledger/ledger-statements.ts";
import { faultOfClock, faultOfHead, readLedger } from "../ledger/ledger-verification.ts";
import { readAnchor, startRecordAnchor, type RecordHead } from "../ledger/record-anchor.ts";
import { isStated, type RecordFault } from "../ledger/record-fault.ts";
import { faultOfSealHead, verifySeals } from "./value-seals.ts";

export type RecordVerification = {
  /** First fault without an administrator's statement; null for an intact record. */
  readonly fault: RecordFault | null;
  readonly rows: number;
  readonly lastHash: string;
  /** Number of rows compared with their seals, except audit events. */
  readonly seals: number;
  readonly statements: readonly LedgerStatement[];
};

/**
 * Verifies ledger and values against their hash chains and the head noted outside the store.
 *
 * @param now  time by this computer's clock, to report a ledger that is ahead of it as a fault; null to skip that
 */
export function verifyRecord(
  db: ReadableDb,
  head: RecordHead | null,
  now: Date | null = null,
): Promise<RecordVerification> {
  return snapshot(db, async () => {
    const { rows, lastHash, fault, statements } = await readLedger(db, head);
    if (fault !== null) return { fault, rows, lastHash, seals: 0, statements };
    const sealed = await verifySeals(db, statements, head);
    const clock = now && (await faultOfClock(db, now));
    return { rows, lastHash, statements, ...sealed, fault: sealed.fault ?? clock };
  });
}

/** Checks quickly whether noted rows are lost. @returns a loss without an administrator's statement */
export async function findLoss(db: ReadableDb, head: RecordHead): Promise<RecordFault | null> {
  const faults = [await faultOfHead(db, head), await faultOfSealHead(db, head)].filter((fault) => fault !== null);
  if (faults.length === 0) return null;
  const statements = await listStatements(db);
  return faults.find((fault) => !isStated(statements, fault)) ?? null;
}

/** Continues the note of the record's head in a folder; keeps it as evidence if rows of it are lost. */
export async function resumeRecordAnchor(db: WritableDb, folder: string): Promise<void> {
  const head = readAnchor(folder);
  startRecordAnchor(db, folder, { isHeld: head !== null && (await findLoss(db, head)) !== null });
}
