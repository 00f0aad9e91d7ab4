import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Tables } from "../tables.ts";

/**
 * A result whose film has not arrived yet. `readings` is JSON; `frameIndex` counts from 0; `isExact` is 1 for measured
 * readings, 0 for readings derived from values in a report.
 */
export type WaitingResult = Readonly<Selectable<Tables["waitingResults"]>>;

/** Saves a result until its film arrives; replaces an earlier copy of it. */
export async function keepWaitingResult(db: WritableDb, { sopInstanceUid, ...result }: WaitingResult): Promise<void> {
  await db
    .insertInto("waitingResults")
    .values({ sopInstanceUid, ...result })
    .onConflict((known) => known.column("sopInstanceUid").doUpdateSet(result))
    .execute();
}

/** Readings (JSON) of the results that wait for a frame of a film, exact ones first. */
export async function listWaitingReadings(
  db: ReadableDb,
  filmSopInstanceUid: string,
  frameIndex: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("waitingResults")
    .select("readings")
    .where("filmSopInstanceUid", "=", filmSopInstanceUid)
    .where("frameIndex", "=", frameIndex)
    .orderBy("isExact", "desc")
    .orderBy("sopInstanceUid")
    .execute();
  return rows.map(({ readings }) => readings);
}

export async function deleteWaitingResults(
  db: WritableDb,
  filmSopInstanceUid: string,
  frameIndex: number,
): Promise<void> {
  const waiting = db.deleteFrom("waitingResults").where("filmSopInstanceUid", "=", filmSopInstanceUid);
  await waiting.where("frameIndex", "=", frameIndex).execute();
}
