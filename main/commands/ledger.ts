import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { AppError } from "../../core/app-error.ts";
import { describeStatement } from "../../core/billing/ledger-statement.ts";
import { dollarsOfCents } from "../../core/billing/dollars.ts";
import { ledgerCsvHeader, ledgerCsvLine } from "../../core/billing/ledger-csv.ts";
import { currency, tariff, tariffTiers, type Rates } from "../../core/billing/tariff.ts";
import { defaultDataDir } from "../program.ts";
import { findAccount } from "../store/people/accounts.ts";
import type { WritableDb } from "../store/database.ts";
import { openStoreOf } from "../services/program/store-place.ts";
import { iterateLedger } from "../store/ledger/ledger-reports.ts";
import { continueRecord, statementKey } from "../store/ledger/continue-record.ts";
import { readNotedHead } from "../store/ledger/record-anchor.ts";
import { verifyRecord } from "../store/record/record-verification.ts";
import { getSetting, saveSetting, usgPriceSetting } from "../store/settings.ts";
import { asOperatingSystemUser } from "./running/acting-command.ts";
import { readAmount } from "./output/amount.ts";
import { describeRecord } from "./output/verified-record.ts";
import { runCommand, UsageError } from "./running/run-command.ts";
import { textTable } from "./output/text-table.ts";

const usage = `ledger verify    [--data-dir DIR]                                   exit status 1 names the first broken row
ledger continue  [--data-dir DIR] --at ROW --by NAME --why TEXT [--key FILE]
                                                                    accepts, in a signed statement, the broken ROW that verify names
                                                                    (--key: an Ed25519 key of your own, PEM)
ledger export    [--data-dir DIR] [--account NAME] [--month YYYY-MM]   CSV on stdout
ledger tariff    [--data-dir DIR]                                   what a call costs
ledger price-usg [--data-dir DIR] AMOUNT|none                       dollars per urine screening from the next call on`;

const options = {
  "data-dir": { type: "string" },
  account: { type: "string" },
  month: { type: "string" },
  at: { type: "string" },
  by: { type: "string" },
  why: { type: "string" },
  key: { type: "string" },
} as const;

type Given = {
  readonly account?: string;
  readonly month?: string;
  readonly at?: string;
  readonly by?: string;
  readonly why?: string;
  readonly key?: string;
};
type Verb = (
  db: WritableDb,
  print: (line: string) => void,
  given: Given,
  amount: string,
  dataDir: string,
) => Promise<unknown>;

const verbs = new Map<string, Verb>([
  ["verify", async (db, print) => print(await verified(db))],
  ["continue", async (db, print, given, _amount, dataDir) => print(await continued(db, dataDir, given))],
  ["export", (db, print, given) => exportCsv(db, given, print)],
  ["tariff", async (db, print) => print(await tariffOf(db))],
  [
    "price-usg",
    (db, _print, _given, amount) =>
      saveSetting(db, usgPriceSetting, amount === "none" ? null : readAmount(amount, "AMOUNT")),
  ],
]);

runCommand("ledger", usage, async (args, print) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb = "", amount, ...rest] = positionals;
  const act = verbs.get(verb);
  if (act === undefined) throw new UsageError(verb === "" ? "a verb is missing" : `unknown verb ${verb}`);
  if (rest.length > 0 || (amount !== undefined) !== (verb === "price-usg"))
    throw new UsageError(verb === "price-usg" ? "price-usg needs one AMOUNT, or none" : "too many arguments");
  const dataDir = values["data-dir"] ?? defaultDataDir();
  const db = await openStoreOf(dataDir, { create: false, setAside: false });
  try {
    await asOperatingSystemUser(() => act(db, print, values, amount ?? "", dataDir));
  } finally {
    await db.destroy();
  }
});

/** The published rates, and what was set here. `keys list` shows rates agreed with one key. */
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
  return describeRecord(await verifyRecord(db, readNotedHead(db), new Date()));
}

async function continued(db: WritableDb, dataDir: string, { at, by = "", why = "", key }: Given): Promise<string> {
  if (at === undefined || by.trim() === "" || why.trim() === "")
    throw new UsageError("continue needs --at, --by and --why");
  const privateKey = key === undefined ? statementKey(dataDir) : readPrivateKey(key);
  const decision = { subject: at, by: by.trim(), why: why.trim(), at: new Date(), privateKey };
  return describeStatement(await continueRecord(db, decision));
}

function readPrivateKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== "ed25519") throw new UsageError("--key must name an Ed25519 key");
  return key;
}

async function exportCsv(db: WritableDb, { account, month }: Given, print: (line: string) => void): Promise<void> {
  if (month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UsageError("--month must look like 2026-11");
  const accountId = account === undefined ? undefined : (await findAccount(db, account))?.id;
  if (account !== undefined && accountId === undefined)
    throw new AppError("ACCOUNT_NOT_FOUND", `There is no account ${account}.`);
  print(ledgerCsvHeader);
  for await (const event of iterateLedger(db, { accountId, period: month })) print(ledgerCsvLine(event));
}
