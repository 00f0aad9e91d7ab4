import type { ReadableDb, WritableDb } from "../connection.ts";
import { compiledOnce } from "../engines/compiled-queries.ts";

/** `period`: UTC month, `YYYY-MM`. */
export type AccountMonth = { readonly accountId: string; readonly period: string };

export type MonthlyVolume = AccountMonth & { readonly calls: number };

/** Charges that have not been reversed. @param period  UTC month, `YYYY-MM` */
export async function countCharges(db: ReadableDb, accountId: string, period: string): Promise<number> {
  const [row] = await volumes(db, { accountId, period });
  return row?.calls ?? 0;
}

const volumes = compiledOnce<AccountMonth, { calls: number }>((db, place) =>
  db
    .selectFrom("monthlyVolumes")
    .select("calls")
    .where("accountId", "=", place("accountId"))
    .where("period", "=", place("period")),
);

/** Adds a charge (1) or removes a reversed one (-1) in the transaction of the ledger row. @returns calls with it */
export async function addToVolume(db: WritableDb, { accountId, period }: AccountMonth, calls: 1 | -1): Promise<number> {
  const [month] = await count(db, { accountId, period, calls });
  return month?.calls ?? 0;
}

const count = compiledOnce<MonthlyVolume, { calls: number }>((db, place) =>
  db
    .insertInto("monthlyVolumes")
    .values({ accountId: place("accountId"), period: place("period"), calls: place("calls") })
    .onConflict((known) =>
      known
        .columns(["accountId", "period"])
        .doUpdateSet((row) => ({ calls: row("monthlyVolumes.calls", "+", row.ref("excluded.calls")) })),
    )
    .returning("monthlyVolumes.calls"),
);

export async function listVolumes(db: ReadableDb): Promise<readonly MonthlyVolume[]> {
  return await db.selectFrom("monthlyVolumes").selectAll().orderBy("accountId").orderBy("period").execute();
}

/** Replaces the counts when an administrator continues a broken ledger. */
export async function replaceVolumes(db: WritableDb, volumes: readonly MonthlyVolume[]): Promise<void> {
  await db.deleteFrom("monthlyVolumes").execute();
  for (const volume of volumes) await db.insertInto("monthlyVolumes").values(volume).execute();
}
