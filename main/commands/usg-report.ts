import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { defaultDataDir } from "../program.ts";
import { usgReportCsv, usgReportTable } from "../services/program/usg-report.ts";
import { findAccount } from "../store/people/accounts.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { summariseUsgPredictions } from "../store/usg-predictions.ts";
import { runCommand, UsageError } from "./running/run-command.ts";

const usage = `usg-report [--data-dir DIR] [--csv] [--month YYYY-MM] [--clinic CODE] [--account NAME]
  screenings by clinic code, UTC month and risk tier; not clinically validated`;

const options = {
  "data-dir": { type: "string" },
  csv: { type: "boolean" },
  month: { type: "string" },
  clinic: { type: "string" },
  account: { type: "string" },
} as const;

runCommand("usg-report", usage, async (args, print) => {
  const { values } = parseArgs({ args, options });
  const { month, clinic: clinicCode, account } = values;
  if (month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UsageError("--month must look like 2026-11");
  const db = await openStoreOf(values["data-dir"] ?? defaultDataDir(), { create: false, setAside: false });
  try {
    const accountId = account === undefined ? undefined : (await findAccount(db, account))?.id;
    if (account !== undefined && accountId === undefined)
      throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${account}.`);
    const outcomes = await summariseUsgPredictions(db, { accountId, month, clinicCode });
    print(values.csv ? usgReportCsv(outcomes) : usgReportTable(outcomes));
  } finally {
    await db.destroy();
  }
});
