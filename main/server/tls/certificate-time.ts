import type { ReadableDb } from "../../store/database.ts";
import { readLastRow } from "../../store/ledger/ledger.ts";

/**
 * Time against which certificates are checked. While the clock is behind the last entry of the ledger, certificates are
 * not replaced: clients would not trust new ones.
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
