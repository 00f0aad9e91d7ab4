import type { Selectable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Tables } from "../tables.ts";

/** `readings`: JSON; `frameIndex`: from 0; `isExact`: 0 for readings derived from the values in a report. */
export type WaitingResult = Readonly<Selectable<Tables["waitingResults"]>>;

export async function saveWaitingResult(db: WritableDb, { sopInstanceUid, ...result }: WaitingResult): Promise<void> {
  await db
    .insertInto("waitingResults")
    .values({ sopInstanceUid, ...result })
    .onConflict((known) => known.column("sopInstanceUid").doUpdateSet(result))
    .execute();
}

/** Exact ones first. */
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
