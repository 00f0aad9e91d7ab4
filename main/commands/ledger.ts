import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { ledgerCsvHeader, ledgerCsvLine } from "../../core/billing/ledger-csv.ts";
import { defaultDataDir } from "../program.ts";
import { findAccount } from "../store/accounts.ts";
import { openStore, type WritableDb } from "../store/database.ts";
import { iterateLedger } from "../store/ledger-reports.ts";
import { verifyLedger } from "../store/ledger-verification.ts";
import { runCommand, UsageError } from "./run-command.ts";

const usage = `ledger verify [--data-dir DIR]                                   exit status 1 names the first broken row
ledger export [--data-dir DIR] [--account NAME] [--month YYYY-MM]   CSV on stdout`;

const options = { "data-dir": { type: "string" }, account: { type: "string" }, month: { type: "string" } } as const;

runCommand("ledger", usage, (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("too many arguments");
  const db = openStore(values["data-dir"] ?? defaultDataDir(), { create: false, setAside: false });
  try {
    switch (verb) {
      case "verify":
        return print(verified(db));
      case "export":
        return exportCsv(db, values, print);
      default:
        throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
    }
  } finally {
    db.close();
  }
});

function verified(db: WritableDb): string {
  const result = verifyLedger(db);
  if (!result.isIntact) throw new AppError("LEDGER_BROKEN", `The ledger is broken at row ${result.brokenAtSeq}: ${result.problem}.`);
  return `The ledger is intact: ${result.rows} ${result.rows === 1 ? "row" : "rows"}, last hash ${result.lastHash}`;
}

function exportCsv(db: WritableDb, { account, month }: { account?: string | undefined; month?: string | undefined }, print: (line: string) => void): void {
  if (month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new UsageError("--month must look like 2026-11");
  const accountId = account === undefined ? undefined : findAccount(db, account)?.id;
  if (account !== undefined && accountId === undefined) throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${account}.`);
  print(ledgerCsvHeader);
  for (const event of iterateLedger(db, { accountId, period: month })) print(ledgerCsvLine(event));
}
