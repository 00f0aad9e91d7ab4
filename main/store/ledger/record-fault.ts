import type { Reason } from "../../../core/app-error.ts";
import type { LedgerStatement } from "../../../core/billing/ledger-statement.ts";

/**
 * A fault found by verification: its place (a row's number in the ledger, `table/key` of a row of values), the problem,
 * and the SHA-256 of the present content.
 */
export type RecordFault = {
  readonly subject: string;
  readonly problem: Reason;
  readonly found: string | null;
  /** Highest number lost from the end of the ledger; null if none is lost. */
  readonly lostUpTo: number | null;
};

/** Fields of a statement that identify its fault. */
export type Stated = Pick<LedgerStatement, "subject" | "found" | "lostUpTo">;

/** Whether an administrator has stated why this fault stays; a row that was changed since is another fault. */
export function isStated(statements: readonly Stated[], fault: RecordFault): boolean {
  return statements.some(({ subject, found, lostUpTo }) =>
    fault.lostUpTo === null
      ? subject === fault.subject && found === fault.found
      : lostUpTo !== null && lostUpTo >= fault.lostUpTo,
  );
}
