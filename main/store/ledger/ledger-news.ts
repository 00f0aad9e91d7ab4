import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";

const followers = new WeakMap<ReadableDb, () => Promise<void>>();

/** From now on `hear` is told of every row of the ledger that is committed through this connection. */
export function followLedger(db: WritableDb, hear: () => void): void {
  followers.set(db, async () => hear());
}

/** A row was written: whoever follows the ledger hears of it once it is committed. */
export async function tellOfRow(db: WritableDb): Promise<void> {
  const tell = followers.get(db);
  if (tell) await engineOf(db).driver.afterCommit(tell);
}
