import { z } from "zod";
import type { LedgerEvent } from "../../core/billing/ledger-event.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";
import { reverseCharge } from "./ledger.ts";

const undeliveredSchema = z.object({ callId: z.string(), seq: z.int(), answerUntilMs: z.int().nullable() });

/** A charge whose answer has not been seen to leave. `answerUntilMs`: UTC time until which it may be asked for again, or null. */
export type UndeliveredCharge = Readonly<z.infer<typeof undeliveredSchema>>;

const columns = "call_id AS callId, seq, answer_until_ms AS answerUntilMs";

/** Marks a charge as not answered yet; part of the transaction that makes the charge. */
export function awaitDelivery(db: WritableDb, { charge, until }: { readonly charge: LedgerEvent; readonly until: Date | null }): void {
  db.prepare("INSERT INTO undelivered_charges (call_id, seq, answer_until_ms) VALUES (?, ?, ?)").run(charge.callId, charge.seq, until?.getTime() ?? null);
}

/**
 * Makes a charge final: its answer has left. Does nothing for a call that awaits no delivery.
 * Not flushed to the disk: a killed program keeps it all the same, and after a power cut the doubt is in the customer's favour.
 */
export function confirmDelivery(db: WritableDb, callId: string): void {
  db.pragma("synchronous = NORMAL");
  try {
    db.prepare("DELETE FROM undelivered_charges WHERE call_id = ?").run(callId);
  } finally {
    db.pragma("synchronous = FULL");
  }
}

/** Takes back the charge of a call whose answer never left. Does nothing for a call that awaits no delivery. */
export function reverseUndelivered(db: WritableDb, { callId, at }: { readonly callId: string; readonly at: Date }): void {
  const reverse = db.transaction(() => {
    const found = undeliveredSchema.optional().parse(db.prepare(`SELECT ${columns} FROM undelivered_charges WHERE call_id = ?`).get(callId));
    if (!found) return;
    reverseCharge(db, { seq: found.seq, note: "answer not delivered", at });
    db.prepare("DELETE FROM undelivered_charges WHERE call_id = ?").run(callId);
  });
  reverse.immediate();
}

/** Charges that still await their answer's delivery, oldest first. */
export function listUndelivered(db: ReadableDb): readonly UndeliveredCharge[] {
  return z.array(undeliveredSchema).parse(db.prepare(`SELECT ${columns} FROM undelivered_charges ORDER BY seq`).all());
}
