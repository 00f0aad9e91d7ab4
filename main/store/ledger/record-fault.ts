import type { Reason } from "../../../core/app-error.ts";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";

/** `subject`: number of a ledger row or `table/key` of a sealed row; `found`: SHA-256 of the present content. */
export type RecordFault = {
  readonly subject: string;
  readonly problem: Reason;
  readonly found: string | null;
  /** Highest number lost from the end of the ledger; null if none is lost. */
  readonly lostUpTo: number | null;
};

export type Stated = Pick<LedgerStatement, "subject" | "found" | "lostUpTo">;

/** If the row has changed since the statement, the fault is another one. */
export function isStated(statements: readonly Stated[], fault: RecordFault): boolean {
  return statements.some(({ subject, found, lostUpTo }) =>
    fault.lostUpTo === null
      ? subject === fault.subject && found === fault.found
      : lostUpTo !== null && lostUpTo >= fault.lostUpTo,
  );
}
