import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";

const followers = new WeakMap<ReadableDb, () => Promise<void>>();

export function subscribeToLedger(db: WritableDb, listener: () => void): void {
  followers.set(db, async () => listener());
}

export async function publishLedgerRow(db: WritableDb): Promise<void> {
  const notify = followers.get(db);
  if (notify) await engineOf(db).driver.afterCommit(notify);
}
