import type { ReadableDb, WritableDb } from "../connection.ts";

/** An account's month: UTC, `YYYY-MM`. */
export type AccountMonth = { readonly accountId: string; readonly period: string };

/** The billable calls of an account's month. */
export type MonthlyVolume = AccountMonth & { readonly calls: number };

/**
 * Billable calls of an account's month so far: charges that have not been reversed.
 *
 * @param period  UTC month, `YYYY-MM`
 */
export async function countCharges(db: ReadableDb, accountId: string, period: string): Promise<number> {
  const volume = db.selectFrom("monthlyVolumes").select("calls");
  const row = await volume.where("accountId", "=", accountId).where("period", "=", period).executeTakeFirst();
  return row?.calls ?? 0;
}

/** Counts a charge (1) or takes one back (-1), in the transaction of its ledger row. */
export async function addToVolume(db: WritableDb, { accountId, period }: AccountMonth, calls: 1 | -1): Promise<void> {
  await db
    .insertInto("monthlyVolumes")
    .values({ accountId, period, calls })
    .onConflict((known) =>
      known
        .columns(["accountId", "period"])
        .doUpdateSet((row) => ({ calls: row("monthlyVolumes.calls", "+", row.ref("excluded.calls")) })),
    )
    .execute();
}

/** Every counted month, for verification. */
export async function listVolumes(db: ReadableDb): Promise<readonly MonthlyVolume[]> {
  return await db.selectFrom("monthlyVolumes").selectAll().orderBy("accountId").orderBy("period").execute();
}

/** Puts the counts right where an administrator continues a broken ledger. */
export async function replaceVolumes(db: WritableDb, volumes: readonly MonthlyVolume[]): Promise<void> {
  await db.deleteFrom("monthlyVolumes").execute();
  for (const volume of volumes) await db.insertInto("monthlyVolumes").values(volume).execute();
}
