import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { prepared } from "../prepared.ts";

const undeliveredSchema = z.object({ callId: z.string(), seq: z.int(), answerUntilMs: z.int().nullable() });

/**
 * A charge whose answer has not been seen to leave. `seq` is its ledger row, `answerUntilMs` the UTC time [ms] until
 * which the answer is kept to be fetched, null when it is lost with its connection.
 */
export type UndeliveredCharge = Readonly<z.infer<typeof undeliveredSchema>>;

const columns = "call_id AS callId, seq, answer_until_ms AS answerUntilMs";

const answeredSchema = z.object({
  accountId: z.string(),
  service: z.enum(["cardiac", "usg"]),
  uuidNfc: z.string(),
  /** Place among the answers of its service. */
  place: z.int(),
});

/** Who was answered, one row for each call; by the call's own id, so that it costs the same however many there are. */
const answeredCall = `SELECT account_id AS accountId, service, uuid_nfc AS uuidNfc, id AS place FROM measurements
   WHERE call_id = :callId AND is_best = 1 AND uuid_nfc IS NOT NULL
 UNION ALL SELECT account_id, 'usg', uuid_nfc, rowid FROM usg_predictions WHERE call_id = :callId AND uuid_nfc IS NOT NULL`;

/** The latest call of a patient after another one that was not charged itself. */
const laterRecheck = {
  cardiac: laterIn("measurements", "id", "service = 'cardiac' AND is_best = 1"),
  usg: laterIn("usg_predictions", "rowid", "true"),
} as const;

function laterIn(table: string, place: string, condition: string): string {
  return `SELECT call_id AS callId FROM ${table} AS later
    WHERE account_id = :accountId AND uuid_nfc = :uuidNfc AND ${condition} AND ${place} > :place
      AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.call_id = later.call_id AND kind = 'charge') ORDER BY ${place} DESC LIMIT 1`;
}

/**
 * Remembers that the answer to a call is still to be written, if the call was charged; in the transaction of the
 * charge.
 */
export function insertUndelivered(db: WritableDb, { callId, answerUntilMs }: Omit<UndeliveredCharge, "seq">): void {
  prepared(
    db,
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
  const answered = findAnswered(db, callId);
  if (!answered) return false;
  const recheck = z
    .object({ callId: z.string() })
    .optional()
    .parse(prepared(db, laterRecheck[answered.service]).get(answered));
  if (!recheck) return false;
  db.prepare("UPDATE undelivered_charges SET call_id = ?, answer_until_ms = ? WHERE seq = ?").run(
    recheck.callId,
    answerUntilMs,
    seq,
  );
  return true;
}

/** The call of a patient that was answered; null for one without a patient, which makes no other free. */
function findAnswered(db: ReadableDb, callId: string): z.infer<typeof answeredSchema> | null {
  return answeredSchema.optional().parse(prepared(db, answeredCall).get({ callId })) ?? null;
}

/**
 * Forgets an undelivered charge because an answer that it pays for has just been written: that of the call that was
 * charged, or of one that the charge made free for the same patient. Does not wait for the disk: a killed program keeps
 * what it has written, and after a power cut the customer gets the benefit.
 */
export function confirmDelivered(db: WritableDb, callId: string): void {
  prepared(db, "PRAGMA synchronous = NORMAL").run();
  try {
    prepared(
      db,
      `WITH answered AS (${answeredCall}) DELETE FROM undelivered_charges WHERE call_id = :callId OR EXISTS (
         SELECT 1 FROM answered JOIN ledger AS charge
         WHERE charge.seq = undelivered_charges.seq AND charge.kind = 'charge' AND charge.account_id = answered.accountId
           AND charge.service = answered.service AND charge.uuid_nfc = answered.uuidNfc)`,
    ).run({ callId });
  } finally {
    prepared(db, "PRAGMA synchronous = FULL").run();
  }
}
