import { Command } from "commander";
import { AppError } from "../../core/app-error.ts";
import { usgReportColumns, usgReportCsv } from "../../core/usg/usg-report.ts";
import { findAccount } from "../store/people/accounts.ts";
import type { WritableDb } from "../store/database.ts";
import { summariseUsgPredictions, type UsgOutcomes } from "../store/calls/usg-predictions.ts";
import { textTable } from "./output/text-table.ts";
import { dataDirOption, monthOption } from "./running/options.ts";
import { print } from "./running/run-program.ts";
import { withStore } from "./running/with-store.ts";

type Given = {
  readonly dataDir: string;
  readonly csv?: boolean;
  readonly month?: string;
  readonly clinic?: string;
  readonly account?: string;
};

export function usgReportCommand(): Command {
  return new Command("usg-report")
    .description("screenings by clinic code, UTC month and risk tier; not clinically validated")
    .addOption(dataDirOption())
    .addOption(monthOption())
    .option("--clinic <code>", "only this clinic code")
    .option("--account <name>", "only this account")
    .option("--csv", "CSV instead of a table")
    .action(async (given: Given) => print(await withStore(given.dataDir, (db) => reportOf(db, given))));
}

async function reportOf(db: WritableDb, { csv, month, clinic, account }: Given): Promise<string> {
  const accountId = account === undefined ? undefined : (await findAccount(db, account))?.id;
  if (account !== undefined && accountId === undefined)
    throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${account}.`);
  const outcomes = await summariseUsgPredictions(db, { accountId, month, clinicCode: clinic });
  return csv ? usgReportCsv(outcomes) : tableOf(outcomes);
}

function tableOf(outcomes: readonly UsgOutcomes[]): string {
  const rows = outcomes.map((row) => usgReportColumns.map((column) => String(row[column]) || "(none)"));
  return textTable([usgReportColumns, ...rows]);
}
