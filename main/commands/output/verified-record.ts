import { describeStatement } from "../../../core/billing/ledger-statement.ts";
import { AppError } from "../../../core/app-error.ts";
import { seqOf } from "../../store/ledger/ledger-verification.ts";
import type { RecordVerification } from "../../store/record/record-verification.ts";

/**
 * Describes the result of a verification.
 *
 * @throws AppError LEDGER_BROKEN, RECORD_BROKEN with the first fault without a statement
 */
export function describeRecord({ fault, rows, lastHash, seals, statements }: RecordVerification): string {
  if (fault !== null && seqOf(fault) !== null) throw new AppError("LEDGER_BROKEN", fault.problem);
  if (fault !== null) throw new AppError("RECORD_BROKEN", fault.problem);
  return [
    `The ledger is intact: ${rows} ${rows === 1 ? "row" : "rows"}, last hash ${lastHash}`,
    `Measurements, readings and screenings are as they were kept: ${seals}`,
    ...statements.map(describeStatement),
  ].join("\n");
}
