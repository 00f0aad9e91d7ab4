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

/** All results that wait for a film. */
export async function listWaitingResults(db: ReadableDb): Promise<readonly WaitingResult[]> {
  return await db.selectFrom("waitingResults").selectAll().orderBy("sopInstanceUid").execute();
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

/** Deletes the waiting results of a film that has arrived. */
export async function deleteWaitingResults(
  db: WritableDb,
  filmSopInstanceUid: string,
  frameIndex: number,
): Promise<void> {
  const waiting = db.deleteFrom("waitingResults").where("filmSopInstanceUid", "=", filmSopInstanceUid);
  await waiting.where("frameIndex", "=", frameIndex).execute();
}

/** Deletes a result that waits in another store now, unless its readings have changed since it was read. */
export async function forgetWaitingResult(db: WritableDb, { sopInstanceUid, readings }: WaitingResult): Promise<void> {
  const result = db.deleteFrom("waitingResults").where("sopInstanceUid", "=", sopInstanceUid);
  await result.where("readings", "=", readings).execute();
}
