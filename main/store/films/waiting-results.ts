import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Tables } from "../tables.ts";

/**
 * A result whose film has not arrived yet. `readings` is JSON; `frameIndex` counts from 0; `isExact` is 1 for measured
 * readings, 0 for readings derived from values in a report.
 */
export type WaitingResult = Readonly<Selectable<Tables["waitingResults"]>>;

/** Saves a result until its film arrives; replaces an earlier copy of it. */
export async function saveWaitingResult(db: WritableDb, { sopInstanceUid, ...result }: WaitingResult): Promise<void> {
  await db
    .insertInto("waitingResults")
    .values({ sopInstanceUid, ...result })
    .onConflict((known) => known.column("sopInstanceUid").doUpdateSet(result))
    .execute();
}

/** Lists the results for a frame of a film, exact ones first. */
export async function listWaitingResults(
  db: ReadableDb,
  filmSopInstanceUid: string,
  frameIndex: number,
): Promise<readonly WaitingResult[]> {
  return db
    .selectFrom("waitingResults")
    .selectAll()
    .where("filmSopInstanceUid", "=", filmSopInstanceUid)
    .where("frameIndex", "=", frameIndex)
    .orderBy("isExact", "desc")
    .orderBy("sopInstanceUid")
    .execute();
}

export async function deleteWaitingResult(db: WritableDb, sopInstanceUid: string): Promise<void> {
  await db.deleteFrom("waitingResults").where("sopInstanceUid", "=", sopInstanceUid).execute();
}
