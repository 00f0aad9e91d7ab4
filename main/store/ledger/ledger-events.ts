import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";

const followers = new WeakMap<ReadableDb, () => Promise<void>>();

export function subscribeToLedger(db: WritableDb, hear: () => void): void {
  followers.set(db, async () => hear());
}

export async function publishLedgerRow(db: WritableDb): Promise<void> {
  const tell = followers.get(db);
  if (tell) await engineOf(db).driver.afterCommit(tell);
}
