import { z } from "zod";
import { ledgerEventSchema, type LedgerEvent } from "../../../core/billing/ledger-event.ts";
import { tierOfOrdinal, type MeteredService, type TariffTier } from "../../../core/billing/tariff.ts";
import type { ReadableDb } from "../connection.ts";
import { ledgerColumns, stands } from "./ledger.ts";

/** Which ledger rows to list; what is left out does not restrict. `search` looks at account name, uuid and note. */
export type LedgerFilter = {
  readonly accountId?: string | undefined;
  readonly period?: string | undefined;
  readonly service?: MeteredService | undefined;
  readonly kind?: LedgerEvent["kind"] | undefined;
  readonly search?: string | undefined;
};

const eventsSchema = z.array(ledgerEventSchema);
const totalSchema = z.object({ total: z.int() });
const periodsSchema = z.array(z.object({ period: z.string() }));

const where = `WHERE (:accountId IS NULL OR account_id = :accountId) AND (:period IS NULL OR period = :period)
  AND (:service IS NULL OR service = :service) AND (:kind IS NULL OR kind = :kind)
  AND (:search = '' OR instr(lower(coalesce(uuid, '') || char(10) || coalesce(note, '') || char(10)
    || (SELECT name FROM accounts WHERE accounts.id = account_id)), lower(:search)) > 0)`;

function bound({ accountId, period, service, kind, search = "" }: LedgerFilter) {
  return { accountId: accountId ?? null, period: period ?? null, service: service ?? null, kind: kind ?? null, search };
}

/** Ledger rows, newest first, 200 unless `limit` says otherwise. */
export function listLedgerEvents(
  db: ReadableDb,
  filter: LedgerFilter & { readonly limit?: number | undefined; readonly offset?: number | undefined } = {},
): readonly LedgerEvent[] {
  const rows = db
    .prepare(`SELECT ${ledgerColumns} FROM ledger ${where} ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
    .all({
      ...bound(filter),
      limit: filter.limit ?? 200,
      offset: filter.offset ?? 0,
    });
  return eventsSchema.parse(rows);
}

/** How many ledger rows a filter finds. */
export function countLedgerEvents(db: ReadableDb, filter: LedgerFilter = {}): number {
  return totalSchema.parse(db.prepare(`SELECT count(*) AS total FROM ledger ${where}`).get(bound(filter))).total;
}

/** Every ledger row a filter finds, oldest first, one at a time: for exports of any size. */
export function* iterateLedger(db: ReadableDb, filter: LedgerFilter = {}): Generator<LedgerEvent> {
  for (const row of db.prepare(`SELECT ${ledgerColumns} FROM ledger ${where} ORDER BY seq`).iterate(bound(filter)))
    yield ledgerEventSchema.parse(row);
}

/** Months that have ledger rows, `YYYY-MM`, newest first. */
export function listLedgerPeriods(db: ReadableDb): readonly string[] {
  return periodsSchema
    .parse(db.prepare("SELECT DISTINCT period FROM ledger ORDER BY period DESC").all())
    .map(({ period }) => period);
}

/** What an account used in a month. */
export type MonthlyUsage = {
  readonly accountId: string;
  readonly period: string;
  /** Billable calls of both services, less those that were reversed. */
  readonly calls: number;
  readonly cardiacCalls: number;
  readonly usgCalls: number;
  /** Reversals made in this month, whichever month they correct. */
  readonly reversals: number;
  /** Charges less reversals made in this month [cents]; calls without a price add nothing. */
  readonly amountCents: number;
  /** Tier of so many calls. */
  readonly tier: TariffTier;
};

const usageSchema = z.object({ cardiacCalls: z.int(), usgCalls: z.int(), reversals: z.int(), amountCents: z.int() });

/**
 * Usage and amount of an account's month.
 *
 * @param period  UTC month, `YYYY-MM`
 */
export function getMonthlyUsage(
  db: ReadableDb,
  { accountId, period }: { readonly accountId: string; readonly period: string },
): MonthlyUsage {
  const sums = usageSchema.parse(
    db
      .prepare(
        `SELECT count(*) FILTER (WHERE kind = 'charge' AND service = 'cardiac' AND ${stands}) AS cardiacCalls,
         count(*) FILTER (WHERE kind = 'charge' AND service = 'usg' AND ${stands}) AS usgCalls,
         count(*) FILTER (WHERE kind = 'reversal') AS reversals, coalesce(sum(amount_cents), 0) AS amountCents
       FROM ledger AS charge WHERE account_id = ? AND period = ?`,
      )
      .get(accountId, period),
  );
  const calls = sums.cardiacCalls + sums.usgCalls;
  return { accountId, period, calls, ...sums, tier: tierOfOrdinal(calls) };
}
