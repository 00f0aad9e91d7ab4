import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";

/** A result that waits for its film. `readings` is JSON; `frameIndex` counts from 0. */
export type WaitingResult = {
  readonly sopInstanceUid: string;
  readonly filmSopInstanceUid: string;
  readonly frameIndex: number;
  readonly readings: string;
};

/** Keeps a result until its film comes; the same result again replaces it. */
export function keepWaitingResult(db: WritableDb, result: WaitingResult): void {
  db.prepare(
    `INSERT OR REPLACE INTO waiting_results (sop_instance_uid, film_sop_instance_uid, frame_index, readings)
     VALUES (:sopInstanceUid, :filmSopInstanceUid, :frameIndex, :readings)`,
  ).run(result);
}

/** Readings (JSON) of the results that wait for a frame of a film, in the order in which they came. */
export function listWaitingReadings(db: ReadableDb, filmSopInstanceUid: string, frameIndex: number): readonly string[] {
  return z
    .array(z.string())
    .parse(
      db
        .prepare(
          "SELECT readings FROM waiting_results WHERE film_sop_instance_uid = ? AND frame_index = ? ORDER BY rowid",
        )
        .pluck()
        .all(filmSopInstanceUid, frameIndex),
    );
}

/** Forgets the results that waited for a film, which has come. */
export function deleteWaitingResults(db: WritableDb, filmSopInstanceUid: string, frameIndex: number): void {
  db.prepare("DELETE FROM waiting_results WHERE film_sop_instance_uid = ? AND frame_index = ?").run(
    filmSopInstanceUid,
    frameIndex,
  );
}
