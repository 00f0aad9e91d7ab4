import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";
import type { ReadableDb } from "../connection.ts";
import { snapshot } from "../engines/engine.ts";
import { listStatements } from "../ledger/ledger-statements.ts";
import { faultOfClock, faultOfHead, readLedger } from "../ledger/ledger-verification.ts";
import type { RecordHead } from "../ledger/record-anchor.ts";
import { isStated, type RecordFault } from "../ledger/record-fault.ts";
import { faultOfSealHead, verifySeals } from "./value-seals.ts";

/** Outcome of a verification of the whole record: the ledger first, then the values that are sealed. */
export type RecordVerification = {
  /** The first fault that no administrator has stated; null for an intact record. */
  readonly fault: RecordFault | null;
  /** Rows of the ledger that were read. */
  readonly rows: number;
  readonly lastHash: string;
  /** Measurements, readings and screenings that were compared with their seals. */
  readonly seals: number;
  /** Events of the audit trail. */
  readonly events: number;
  readonly statements: readonly LedgerStatement[];
};

/**
 * Verifies ledger and values against their hash chains and the head noted outside the store.
 *
 * @param head  null without a noted head
 * @param now   time of the clock, to include a clock that blocks the ledger as a fault; ignored if absent
 */
export function verifyRecord(
  db: ReadableDb,
  head: RecordHead | null,
  now: Date | null = null,
): Promise<RecordVerification> {
  return snapshot(db, async () => {
    const { rows, lastHash, fault, statements } = await readLedger(db, head);
    if (fault !== null) return { fault, rows, lastHash, seals: 0, events: 0, statements };
    const sealed = await verifySeals(db, statements, head);
    const clock = now && (await faultOfClock(db, now));
    return { rows, lastHash, statements, ...sealed, fault: sealed.fault ?? clock };
  });
}

/**
 * Finds rows that were noted outside the store and are lost: quick, for every start.
 *
 * @returns the loss without an administrator's statement; null if nothing is lost
 */
export async function findLoss(db: ReadableDb, head: RecordHead): Promise<RecordFault | null> {
  const faults = [await faultOfHead(db, head), await faultOfSealHead(db, head)].filter((fault) => fault !== null);
  if (faults.length === 0) return null;
  const statements = await listStatements(db);
  return faults.find((fault) => !isStated(statements, fault)) ?? null;
}
