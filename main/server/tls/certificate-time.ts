import type { ReadableDb } from "../../store/database.ts";
import { readLastRow } from "../../store/ledger/ledger.ts";

/**
 * The time by which certificates are judged. While the clock stands before the last entry of the ledger, they stay as
 * they are: clients would not trust new ones.
 */
export async function certificateTime({
  db,
  now,
}: {
  readonly db: ReadableDb;
  readonly now: () => Date;
}): Promise<Date> {
  const nowMs = now().getTime();
  return new Date(Math.max(nowMs, (await readLastRow(db))?.atMs ?? nowMs));
}
