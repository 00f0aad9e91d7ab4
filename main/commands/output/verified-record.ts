import { describeStatement } from "../../../core/billing/ledger-statement.ts";
import { AppError, reasonInEnglish } from "../../../core/app-error.ts";
import { commandLine } from "../../program.ts";
import { codeOfFault } from "../../store/ledger/ledger-verification.ts";
import type { RecordVerification } from "../../store/record/record-verification.ts";

/**
 * @param dataDir  data directory to name in the printed command
 * @throws AppError LEDGER_BROKEN, RECORD_BROKEN with the first fault without a statement and the command to state it
 */
export function describeRecord(
  { fault, rows, lastHash, seals, statements }: RecordVerification,
  dataDir: string | null = null,
): string {
  if (fault !== null) {
    const command = commandLine(`ledger continue --at ${fault.subject} --by NAME --why TEXT`, dataDir);
    const message = `${reasonInEnglish(fault.problem)}. To accept it, state the reason: ${command}`;
    throw new AppError(codeOfFault(fault), message);
  }
  return [
    `The ledger is intact: ${rows} ${rows === 1 ? "row" : "rows"}, last hash ${lastHash}`,
    `Measurements, readings and screenings are unchanged: ${seals}`,
    "The audit trail is unchanged",
    ...statements.map(describeStatement),
  ].join("\n");
}
