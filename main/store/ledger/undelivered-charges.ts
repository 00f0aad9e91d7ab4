import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";

const undeliveredSchema = z.object({ callId: z.string(), seq: z.int(), answerUntilMs: z.int().nullable() });

/**
 * A charge whose answer has not been seen to leave. `seq` is its ledger row, `answerUntilMs` the UTC time [ms] until
 * which the answer is kept to be fetched, null when it is lost with its connection.
 */
export type UndeliveredCharge = Readonly<z.infer<typeof undeliveredSchema>>;

const columns = "call_id AS callId, seq, answer_until_ms AS answerUntilMs";

/** Calls of both services in the order of their answers; one row each. */
const answeredCalls = `answered AS (
  SELECT call_id, account_id, service, uuid_nfc, id FROM measurements WHERE is_best = 1
  UNION ALL SELECT call_id, account_id, 'usg', uuid_nfc, rowid FROM usg_predictions)`;

/**
 * Remembers that the answer to a call is still to be written, if the call was charged; in the transaction of the
 * charge.
 */
export function insertUndelivered(db: WritableDb, { callId, answerUntilMs }: Omit<UndeliveredCharge, "seq">): void {
  db.prepare(
    `INSERT INTO undelivered_charges (call_id, seq, answer_until_ms)
     SELECT call_id, seq, :answerUntilMs FROM ledger WHERE call_id = :callId AND kind = 'charge'`,
  ).run({ callId, answerUntilMs });
}

/** The undelivered charge of a call, null when there is none. */
export function findUndelivered(db: ReadableDb, callId: string): UndeliveredCharge | null {
  return (
    undeliveredSchema
      .optional()
      .parse(db.prepare(`SELECT ${columns} FROM undelivered_charges WHERE call_id = ?`).get(callId)) ?? null
  );
}

/** Every undelivered charge, in ledger order. */
export function listUndelivered(db: ReadableDb): readonly UndeliveredCharge[] {
  return z.array(undeliveredSchema).parse(db.prepare(`SELECT ${columns} FROM undelivered_charges ORDER BY seq`).all());
}

/** Forgets an undelivered charge. */
export function deleteUndelivered(db: WritableDb, callId: string): void {
  db.prepare("DELETE FROM undelivered_charges WHERE call_id = ?").run(callId);
}

/**
 * Lets an undelivered charge go with the answer of the latest free recheck of its patient that came after it.
 *
 * @param answerUntilMs  when that answer counts as lost unless it was written [UTC ms]
 * @returns              whether there is such a recheck
 */
export function passToRecheck(db: WritableDb, { callId, seq }: UndeliveredCharge, answerUntilMs: number): boolean {
  const { changes } = db
    .prepare(
      `WITH ${answeredCalls} UPDATE undelivered_charges SET call_id = recheck.call_id, answer_until_ms = :answerUntilMs
     FROM (SELECT later.call_id FROM answered AS own JOIN answered AS later USING (account_id, service, uuid_nfc)
           WHERE own.call_id = :callId AND later.id > own.id
             AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.call_id = later.call_id AND kind = 'charge') ORDER BY later.id DESC LIMIT 1) AS recheck
     WHERE seq = :seq`,
    )
    .run({ callId, seq, answerUntilMs });
  return changes > 0;
}

/**
 * Forgets an undelivered charge because an answer that it pays for has just been written: that of the call that was
 * charged, or of one that the charge made free for the same patient. Does not wait for the disk: a killed program keeps
 * what it has written, and after a power cut the customer gets the benefit.
 */
export function confirmDelivered(db: WritableDb, callId: string): void {
  db.pragma("synchronous = NORMAL");
  try {
    db.prepare(
      `WITH ${answeredCalls} DELETE FROM undelivered_charges WHERE call_id = :callId OR seq IN (
         SELECT charge.seq FROM answered JOIN ledger AS charge USING (account_id, service, uuid_nfc)
         WHERE answered.call_id = :callId AND charge.kind = 'charge')`,
    ).run({ callId });
  } finally {
    db.pragma("synchronous = FULL");
  }
}
