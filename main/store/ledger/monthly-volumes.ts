import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { prepared } from "../prepared.ts";

const volumeSchema = z.object({ calls: z.int() }).optional();
const volumesSchema = z.array(z.object({ accountId: z.string(), period: z.string(), calls: z.int() }));

/** An account's month: UTC, `YYYY-MM`. */
export type AccountMonth = { readonly accountId: string; readonly period: string };

/** The billable calls of an account's month. */
export type MonthlyVolume = AccountMonth & { readonly calls: number };

/**
 * Billable calls of an account's month so far: charges that have not been reversed.
 *
 * @param period  UTC month, `YYYY-MM`
 */
export function countCharges(db: ReadableDb, accountId: string, period: string): number {
  const row = prepared(db, "SELECT calls FROM monthly_volumes WHERE account_id = ? AND period = ?").get(
    accountId,
    period,
  );
  return volumeSchema.parse(row)?.calls ?? 0;
}

/** Counts a charge (1) or takes one back (-1), in the transaction of its ledger row. */
export function addToVolume(db: WritableDb, { accountId, period }: AccountMonth, calls: 1 | -1): void {
  prepared(
    db,
    `INSERT INTO monthly_volumes (account_id, period, calls) VALUES (:accountId, :period, :calls)
     ON CONFLICT (account_id, period) DO UPDATE SET calls = monthly_volumes.calls + excluded.calls`,
  ).run({ accountId, period, calls });
}

/** Every counted month, for verification. */
export function listVolumes(db: ReadableDb): readonly MonthlyVolume[] {
  return volumesSchema.parse(
    db.prepare("SELECT account_id AS accountId, period, calls FROM monthly_volumes ORDER BY account_id, period").all(),
  );
}

/** Puts the counts right where an administrator continues a broken ledger. */
export function replaceVolumes(db: WritableDb, volumes: readonly MonthlyVolume[]): void {
  db.exec("DELETE FROM monthly_volumes");
  const insert = db.prepare(
    "INSERT INTO monthly_volumes (account_id, period, calls) VALUES (:accountId, :period, :calls)",
  );
  for (const volume of volumes) insert.run(volume);
}
