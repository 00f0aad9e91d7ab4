import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import { z } from "zod";
import { ledgerEventSchema, type LedgerEvent } from "../../../core/billing/ledger-event.ts";
import type { MeteredService } from "../../../core/billing/tariff.ts";
import type { ReadableDb } from "../connection.ts";
import { inPages } from "../engines/in-pages.ts";
import { containing, lowered } from "../search/like-pattern.ts";
import type { Tables } from "../tables.ts";
import { stands } from "./ledger.ts";

/** `search` covers account name, uuid and note. */
export type LedgerFilter = {
  readonly accountId?: string | undefined;
  readonly period?: string | undefined;
  readonly service?: MeteredService | undefined;
  readonly kind?: LedgerEvent["kind"] | undefined;
  readonly search?: string | undefined;
};

const eventsSchema = z.array(ledgerEventSchema);

type Row = ExpressionBuilder<Tables, "ledger">;

function isFoundBy({ accountId, period, service, kind, search = "" }: LedgerFilter) {
  return (row: Row) =>
    row.and([
      ...(accountId === undefined ? [] : [row("accountId", "=", accountId)]),
      ...(period === undefined ? [] : [row("period", "=", period)]),
      ...(service === undefined ? [] : [row("service", "=", service)]),
      ...(kind === undefined ? [] : [row("kind", "=", kind)]),
      ...(search === "" ? [] : [isSearched(row, search)]),
    ]);
}

function isSearched(row: Row, search: string): Expression<SqlBool> {
  const account = row.selectFrom("accounts").select("name").whereRef("accounts.id", "=", "ledger.accountId");
  const contains = (text: Expression<string | null>) =>
    sql<boolean>`lower(${text}) LIKE ${lowered(containing(search))} ESCAPE '\\'`;
  return row.or([contains(row.ref("uuid")), contains(row.ref("note")), contains(account.$asScalar())]);
}

/** Newest first; `limit` defaults to 200. */
export async function listLedgerEvents(
  db: ReadableDb,
  filter: LedgerFilter & { readonly limit?: number | undefined; readonly offset?: number | undefined } = {},
): Promise<readonly LedgerEvent[]> {
  const found = db.selectFrom("ledger").selectAll().where(isFoundBy(filter)).orderBy("seq", "desc");
  return eventsSchema.parse(
    await found
      .limit(filter.limit ?? 200)
      .offset(filter.offset ?? 0)
      .execute(),
  );
}

export async function countLedgerEvents(db: ReadableDb, filter: LedgerFilter = {}): Promise<number> {
  const found = db.selectFrom("ledger").where(isFoundBy(filter));
  const { total } = await found.select((row) => row.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return total;
}

/** Oldest first, reading in pages. */
export async function* iterateLedger(db: ReadableDb, filter: LedgerFilter = {}): AsyncGenerator<LedgerEvent> {
  const found = db.selectFrom("ledger").selectAll().where(isFoundBy(filter)).orderBy("seq");
  for await (const row of inPages((seq) => (seq === null ? found : found.where("seq", ">", seq))))
    yield ledgerEventSchema.parse(row);
}

/** `YYYY-MM`, newest first. */
export async function listLedgerPeriods(db: ReadableDb): Promise<readonly string[]> {
  const rows = await db.selectFrom("ledger").select("period").distinct().orderBy("period", "desc").execute();
  return rows.map(({ period }) => period);
}

/**
 * @param period  UTC month, `YYYY-MM`
 * @returns `calls`: billable ones of both services, without reversed ones; `amountCents`: charges minus reversals made
 *   in this month, where calls without a price count as 0
 */
export async function getMonthlyUsage(
  db: ReadableDb,
  { accountId, period }: { readonly accountId: string; readonly period: string },
) {
  const usage = await db
    .selectFrom("ledger as charge")
    .select((row) => [
      countStanding(row, "cardiac").as("cardiacCalls"),
      countStanding(row, "usg").as("usgCalls"),
      row.cast<number>(row.fn.coalesce(row.fn.sum("amountCents"), row.lit(0)), "bigint").as("amountCents"),
    ])
    .where("accountId", "=", accountId)
    .where("period", "=", period)
    .executeTakeFirstOrThrow();
  return { accountId, calls: usage.cardiacCalls + usage.usgCalls, ...usage };
}

function countStanding(
  row: ExpressionBuilder<Tables & { charge: Tables["ledger"] }, "charge">,
  service: MeteredService,
) {
  const charges = row.fn.countAll<number>().filterWhere("kind", "=", "charge").filterWhere("service", "=", service);
  return charges.filterWhere(stands);
}
