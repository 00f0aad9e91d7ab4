import type { NotNull, Selectable } from "kysely";
import type { MeasuredRadiograph } from "../../../core/cardiac/radiograph-measurement.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf, transaction } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";

/** A capture session. Times are UTC [ms]; `terminalBody` is the final response (JSON), null while it is active. */
export type PopSession = Readonly<Selectable<Tables["popSessions"]>>;

type PopSessionFrame = { readonly measurement: MeasuredRadiograph; readonly film: Buffer };

export async function insertPopSession(
  db: WritableDb,
  session: { readonly id: string; readonly keyId: string; readonly accountId: string; readonly at: Date },
): Promise<void> {
  const { id, keyId, accountId, at } = session;
  await db.insertInto("popSessions").values({ id, keyId, accountId, startedAtMs: at.getTime() }).execute();
}

/** Finds a session by id; null if it is missing or belongs to another key. */
export async function findPopSession(
  db: ReadableDb,
  { id, keyId }: { readonly id: string; readonly keyId: string },
): Promise<PopSession | null> {
  const sessions = db.selectFrom("popSessions").selectAll();
  return (await sessions.where("id", "=", id).where("keyId", "=", keyId).executeTakeFirst()) ?? null;
}

/** Updates the frame counts of an active session. `uuid` null keeps the stored patient. */
export async function recordPopFrame(
  db: WritableDb,
  frame: Pick<PopSession, "id" | "framesProcessed" | "consecutiveFailures" | "uuid">,
): Promise<void> {
  const { id, framesProcessed, consecutiveFailures, uuid } = frame;
  await db
    .updateTable("popSessions")
    .set({ framesProcessed, consecutiveFailures, ...(uuid !== null && { uuid }) })
    .where("id", "=", id)
    .where("endedAtMs", "is", null)
    .execute();
}

export async function insertCandidateFrame(
  db: WritableDb,
  sessionId: string,
  { frameIndex, measurement, film }: PopSessionFrame & { readonly frameIndex: number },
): Promise<void> {
  await db
    .insertInto("popSessionFrames")
    .values({ sessionId, frameIndex, measurement: JSON.stringify(measurement), film })
    .execute();
}

export async function listCandidateFrames(db: ReadableDb, sessionId: string): Promise<readonly PopSessionFrame[]> {
  const rows = await db
    .selectFrom("popSessionFrames")
    .select(["measurement", "film"])
    .where("sessionId", "=", sessionId)
    .where("film", "is not", null)
    .$narrowType<{ film: NotNull }>()
    .orderBy("frameIndex")
    .execute();
  // Only `insertCandidateFrame` writes this column, so its shape is known.
  return rows.map((row) => ({ ...row, measurement: JSON.parse(row.measurement) as MeasuredRadiograph }));
}

export async function endPopSession(
  db: WritableDb,
  { id, at, terminalBody }: { readonly id: string; readonly at: Date; readonly terminalBody: string },
): Promise<void> {
  await transaction(db, async () => {
    await db.updateTable("popSessions").set({ endedAtMs: at.getTime(), terminalBody }).where("id", "=", id).execute();
    await db.deleteFrom("popSessionFrames").where("sessionId", "=", id).execute();
  });
}

/** Deletes sessions that ended by `endedBefore`, and unfinished ones started by `startedBefore`. */
export async function deletePopSessions(
  db: WritableDb,
  { endedBefore, startedBefore }: { readonly endedBefore: Date; readonly startedBefore: Date },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("popSessions")
    .where((row) =>
      row.or([
        row("endedAtMs", "<=", endedBefore.getTime()),
        row.and([row("endedAtMs", "is", null), row("startedAtMs", "<=", startedBefore.getTime())]),
      ]),
    )
    .executeTakeFirst();
  if (numDeletedRows > 0) await engineOf(db).forgetDeleted();
  return Number(numDeletedRows);
}
