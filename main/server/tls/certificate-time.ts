import type { ReadableDb } from "../../store/database.ts";
import { readLastRow } from "../../store/ledger/ledger.ts";

/** The last ledger entry's time if the clock is behind it: with a wrong time, valid certificates would be replaced. */
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
