import { z } from "zod";
import { callTypes, meteredServices, tariffTiers } from "./tariff.ts";

/**
 * What a ledger row does: it charges a call, takes an earlier charge back, or states why a broken row stays (see
 * `ledgerStatementSchema`).
 */
export const ledgerEventKinds = ["charge", "reversal", "statement"] as const;

/**
 * One row of the append-only ledger. Amounts are whole cents, negative on a reversal, null where the service has no
 * price. `callId` names the metered call: unique among charges, shared by a charge and its reversal and by the call's
 * measurements. Only charges have an `ordinal`: the call's place, from 1, among the account's charges of the UTC month
 * that stood at the time.
 */
export const ledgerEventSchema = z.object({
  seq: z.int().positive(),
  kind: z.enum(ledgerEventKinds),
  callId: z.string(),
  accountId: z.string(),
  keyId: z.string().nullable(),
  service: z.enum(meteredServices),
  callType: z.enum(callTypes),
  uuid: z.string().nullable(),
  atMs: z.int(),
  period: z.string().regex(/^\d{4}-\d{2}$/),
  ordinal: z.int().positive().nullable(),
  tier: z.enum(tariffTiers),
  amountCents: z.int().nullable(),
  currency: z.string(),
  reverses: z.int().positive().nullable(),
  note: z.string().nullable(),
  measurementId: z.int().positive().nullable(),
  previousHash: z.string(),
  hash: z.string(),
});

/** A row of the ledger. */
export type LedgerEvent = z.infer<typeof ledgerEventSchema>;

/** A ledger row before it is sealed with its hash. */
export type UnsealedLedgerEvent = Omit<LedgerEvent, "hash">;

/** What the first row has for a previous hash. */
export const firstPreviousHash = "0".repeat(64);

/**
 * The text whose SHA-256 is a row's hash: a JSON array of every other column in a fixed order, the previous hash last.
 * Every member is a string, a safe integer or null, so JSON has one way to write it.
 */
export function canonicalLedgerText(event: UnsealedLedgerEvent): string {
  return JSON.stringify([
    event.seq,
    event.kind,
    event.callId,
    event.accountId,
    event.keyId,
    event.service,
    event.callType,
    event.uuid,
    event.atMs,
    event.period,
    event.ordinal,
    event.tier,
    event.amountCents,
    event.currency,
    event.reverses,
    event.note,
    event.measurementId,
    event.previousHash,
  ]);
}
