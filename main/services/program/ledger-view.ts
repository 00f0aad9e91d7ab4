import { billingPeriodOf } from "../../../core/billing/billing-period.ts";
import { ledgerCsvHeader, ledgerCsvLine } from "../../../core/billing/ledger-csv.ts";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { listAccounts } from "../../store/people/accounts.ts";
import type { ReadableDb } from "../../store/database.ts";
import {
  countLedgerEvents,
  getMonthlyUsage,
  iterateLedger,
  listLedgerEvents,
  listLedgerPeriods,
  type LedgerFilter,
} from "../../store/ledger/ledger-reports.ts";
import { verifyStore } from "../../store/record/verify-store.ts";

type Filter = DesktopParsedRequest<"ledger.csv">;

/** Months are those with data, and the current one. */
export async function getUsage(
  db: ReadableDb,
  { month }: DesktopParsedRequest<"ledger.usage">,
  now: Date,
): Promise<DesktopResponse<"ledger.usage">> {
  const usage = await Promise.all(
    (await listAccounts(db)).map(async ({ id, name }) => ({
      accountName: name,
      ...(await getMonthlyUsage(db, { accountId: id, period: month })),
    })),
  );
  const months = [...new Set([billingPeriodOf(now), ...(await listLedgerPeriods(db))])].sort().reverse();
  return { usage, months };
}

/** Newest first. */
export async function listEvents(
  db: ReadableDb,
  query: DesktopParsedRequest<"ledger.events">,
): Promise<DesktopResponse<"ledger.events">> {
  const filter = toFilter(query);
  const names = new Map((await listAccounts(db)).map(({ id, name }) => [id, name]));
  const events = await listLedgerEvents(db, { ...filter, limit: query.limit, offset: query.offset });
  return {
    events: events.map((event) => ({ ...event, accountName: names.get(event.accountId) ?? "" })),
    total: await countLedgerEvents(db, filter),
  };
}

/** Oldest first. */
export async function ledgerCsvFile(db: ReadableDb, filter: Filter): Promise<DesktopResponse<"ledger.csv">> {
  let text = ledgerCsvHeader;
  for await (const event of iterateLedger(db, toFilter(filter))) text += ledgerCsvLine(event);
  return { fileName: `ledger${filter.month ? `-${filter.month}` : ""}.csv`, mediaType: "text/csv", text };
}

export async function verifyChain(db: ReadableDb, dataDir: string): Promise<DesktopResponse<"ledger.verify">> {
  const { fault, rows, statements } = await verifyStore(db, dataDir);
  return {
    rows,
    fault: fault && { subject: fault.subject, problem: fault.problem },
    statements: statements.map(({ subject, why, by, at }) => ({ subject, why, by, at })),
  };
}

function toFilter({ month, service, kind, search }: Filter): LedgerFilter {
  return { period: month, service, kind, search: search.trim() };
}
