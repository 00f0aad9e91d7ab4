import { Command } from "commander";
import { AppError } from "../../../core/app-error.ts";
import { describeStatement } from "../../../core/billing/ledger-statement.ts";
import { dollarsOfCents } from "../../../core/billing/dollars.ts";
import { ledgerCsvHeader, ledgerCsvLine } from "../../../core/billing/ledger-csv.ts";
import { currency, tariff, tariffTiers, type Rates } from "../../../core/billing/tariff.ts";
import { findAccount } from "../../store/people/accounts.ts";
import type { WritableDb } from "../../store/database.ts";
import { dataDirOf } from "../../store/engines/engine.ts";
import { iterateLedger } from "../../store/ledger/ledger-reports.ts";
import { continueRecord, statementKey } from "../../store/ledger/continue-record.ts";
import { readNotedHead } from "../../store/ledger/record-anchor.ts";
import { verifyRecord } from "../../store/record/record-verification.ts";
import { getSetting, saveSetting, usgPriceSetting } from "../../store/settings.ts";
import { describeRecord } from "../output/verified-record.ts";
import { dataDirOption, dollars, monthOption, notEmpty } from "../running/options.ts";
import { print } from "../running/run-program.ts";
import { withStore } from "../running/with-store.ts";
import { textTable } from "../output/text-table.ts";

type Given = { readonly dataDir: string };
type GivenStatement = Given & {
  readonly at: string;
  readonly by: string;
  readonly why: string;
};
type GivenExport = Given & { readonly account?: string; readonly month?: string };

export function ledgerCommand(): Command {
  const ledger = new Command("ledger").description("verify and export the ledger, set prices");
  const command = (usage: string, description: string) =>
    ledger.command(usage).description(description).addOption(dataDirOption());
  command("verify", "check every row; exit status 1 names the first broken one").action(async ({ dataDir }: Given) =>
    print(await withStore(dataDir, verified)),
  );
  command("continue", "accept a broken row in a signed statement")
    .requiredOption("--at <row>", "the row that verify names")
    .requiredOption("--by <name>", "your name", notEmpty)
    .requiredOption("--why <text>", "the reason", notEmpty)
    .action(async (given: GivenStatement) => print(await withStore(given.dataDir, (db) => continued(db, given))));
  command("export", "CSV on stdout")
    .option("--account <name>", "only this account")
    .addOption(monthOption())
    .action((given: GivenExport) => withStore(given.dataDir, (db) => exportCsv(db, given)));
  command("tariff", "prices of a call").action(async ({ dataDir }: Given) => print(await withStore(dataDir, tariffOf)));
  command("price-usg <amount>", "dollars per urine screening from the next call on, or none").action(
    async (amount: string, { dataDir }: Given) => {
      const cents = amount === "none" ? null : dollars(amount);
      await withStore(dataDir, (db) => saveSetting(db, usgPriceSetting, cents));
    },
  );
  return ledger;
}

/** Published rates and the price of a screening. `keys list` shows rates agreed with one key. */
async function tariffOf(db: WritableDb): Promise<string> {
  const usgCents = await getSetting(db, usgPriceSetting);
  const amounts = (rates: Rates | null) =>
    rates === null ? ["by key", "by key"] : [dollarsOfCents(rates.single), dollarsOfCents(rates.session)];
  return textTable([
    ["TIER", "TO CALL", `SINGLE ${currency}`, `SESSION ${currency}`],
    ...tariffTiers.map((tier) => [
      tier,
      Number.isFinite(tariff[tier].lastOrdinal) ? String(tariff[tier].lastOrdinal) : "-",
      ...amounts(tariff[tier].rates),
    ]),
    ["usg", "-", usgCents === null ? "none" : dollarsOfCents(usgCents), "-"],
  ]);
}

async function verified(db: WritableDb): Promise<string> {
  return describeRecord(await verifyRecord(db, readNotedHead(db), new Date()), dataDirOf(db));
}

async function continued(db: WritableDb, { dataDir, at, by, why }: GivenStatement): Promise<string> {
  const privateKey = statementKey(dataDir);
  return describeStatement(await continueRecord(db, { subject: at, by, why, at: new Date(), privateKey }));
}

async function exportCsv(db: WritableDb, { account, month }: GivenExport): Promise<void> {
  const accountId = account === undefined ? undefined : (await findAccount(db, account))?.id;
  if (account !== undefined && accountId === undefined)
    throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${account}.`);
  print(ledgerCsvHeader);
  for await (const event of iterateLedger(db, { accountId, period: month })) print(ledgerCsvLine(event));
}
