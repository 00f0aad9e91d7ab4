import type { ReadableDb } from "../../store/database.ts";
import { readLastRow } from "../../store/ledger/ledger.ts";

/**
 * Time against which certificates are checked: that of the last ledger entry if the clock is behind it. With the wrong
 * time, valid certificates would be replaced by new ones that clients do not trust.
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
