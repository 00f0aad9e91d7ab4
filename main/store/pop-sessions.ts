import { z } from "zod";
import type { MeasuredRadiograph } from "../../core/cardiac/radiograph-measurement.ts";
import { emptyWriteAheadLog, type ReadableDb, type WritableDb } from "./connection.ts";

const sessionSchema = z.object({
  id: z.string(),
  keyId: z.string(),
  accountId: z.string(),
  uuid: z.string().nullable(),
  startedAtMs: z.int(),
  framesProcessed: z.int(),
  consecutiveFailures: z.int(),
  endedAtMs: z.int().nullable(),
  terminalBody: z.string().nullable(),
});

/**
 * A capture session. Times are UTC [ms]; `terminalBody` is the answer (JSON) that ended it, null while it is active.
 */
export type PopSession = Readonly<z.infer<typeof sessionSchema>>;

/** A frame that may count: what was measured on its film, and the film as JPEG. */
type PopSessionFrame = { readonly measurement: MeasuredRadiograph; readonly film: Buffer };

const columns = `id, key_id AS keyId, account_id AS accountId, uuid, started_at_ms AS startedAtMs, frames_processed AS framesProcessed,
  consecutive_failures AS consecutiveFailures, ended_at_ms AS endedAtMs, terminal_body AS terminalBody`;

/** Starts a session of a key. */
export function insertPopSession(
  db: WritableDb,
  session: { readonly id: string; readonly keyId: string; readonly accountId: string; readonly at: Date },
): void {
  const { at, ...row } = session;
  db.prepare(
    "INSERT INTO pop_sessions (id, key_id, account_id, started_at_ms) VALUES (:id, :keyId, :accountId, :startedAtMs)",
  ).run({ ...row, startedAtMs: at.getTime() });
}

/** A session of this key; null when there is none of that id or it belongs to another key. */
export function findPopSession(
  db: ReadableDb,
  { id, keyId }: { readonly id: string; readonly keyId: string },
): PopSession | null {
  return (
    sessionSchema
      .optional()
      .parse(db.prepare(`SELECT ${columns} FROM pop_sessions WHERE id = ? AND key_id = ?`).get(id, keyId)) ?? null
  );
}

/** Counts a frame, with the failures in a row up to it; a patient once named stays named. */
export function recordPopFrame(
  db: WritableDb,
  frame: {
    readonly id: string;
    readonly framesProcessed: number;
    readonly consecutiveFailures: number;
    readonly uuid: string | null;
  },
): void {
  db.prepare(
    `UPDATE pop_sessions SET frames_processed = :framesProcessed, consecutive_failures = :consecutiveFailures, uuid = coalesce(:uuid, uuid)
     WHERE id = :id AND ended_at_ms IS NULL`,
  ).run(frame);
}

/** Keeps a frame that may count, until the session ends. */
export function insertCandidateFrame(
  db: WritableDb,
  sessionId: string,
  { frameIndex, measurement, film }: PopSessionFrame & { readonly frameIndex: number },
): void {
  db.prepare("INSERT INTO pop_session_frames (session_id, frame_index, measurement, film) VALUES (?, ?, ?, ?)").run(
    sessionId,
    frameIndex,
    JSON.stringify(measurement),
    film,
  );
}

/** Frames of a session that may count, in order. */
export function listCandidateFrames(db: ReadableDb, sessionId: string): readonly PopSessionFrame[] {
  const rows = z
    .array(z.object({ measurement: z.string(), film: z.instanceof(Buffer) }))
    .parse(
      db
        .prepare(
          "SELECT measurement, film FROM pop_session_frames WHERE session_id = ? AND film IS NOT NULL ORDER BY frame_index",
        )
        .all(sessionId),
    );
  // Written by `insertCandidateFrame` alone, so the shape is that of its argument.
  return rows.map((row) => ({ ...row, measurement: JSON.parse(row.measurement) as MeasuredRadiograph }));
}

/** Ends a session with the answer that any further frame gets, and forgets its frames and films. */
export function endPopSession(
  db: WritableDb,
  end: { readonly id: string; readonly at: Date; readonly terminalBody: string },
): void {
  db.prepare("UPDATE pop_sessions SET ended_at_ms = ?, terminal_body = ? WHERE id = ?").run(
    end.at.getTime(),
    end.terminalBody,
    end.id,
  );
  db.prepare("DELETE FROM pop_session_frames WHERE session_id = ?").run(end.id);
}

/**
 * Forgets sessions that ended, or were started, before these moments: their answers are no longer given, and no picture
 * of theirs stays in the store's files.
 *
 * @returns how many
 */
export function deletePopSessions(
  db: WritableDb,
  { endedBefore, startedBefore }: { readonly endedBefore: Date; readonly startedBefore: Date },
): number {
  const { changes } = db
    .prepare("DELETE FROM pop_sessions WHERE ended_at_ms <= ? OR started_at_ms <= ?")
    .run(endedBefore.getTime(), startedBefore.getTime());
  if (changes > 0) emptyWriteAheadLog(db);
  return changes;
}
