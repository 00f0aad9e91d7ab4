import { z } from "zod";
import { callTypes, meteredServices, tariffTiers } from "./tariff.ts";

/** `statement`: accepts a broken row, see `ledgerStatementSchema`. */
export const ledgerEventKinds = ["charge", "reversal", "statement"] as const;

/**
 * One row of the append-only ledger. Amounts are whole cents, negative for a reversal, null if the service has no
 * price. `callId` is unique among charges and shared by a charge, its reversal and the call's measurements. Only
 * charges have an `ordinal`: the position among the account's valid charges of the UTC month.
 */
export const ledgerEventSchema = z.object({
  seq: z.int().positive(),
  kind: z.enum(ledgerEventKinds),
  callId: z.string(),
  atMs: z.int(),
  period: z.string().regex(/^\d{4}-\d{2}$/),
  accountId: z.string(),
  keyId: z.string().nullable(),
  service: z.enum(meteredServices),
  callType: z.enum(callTypes),
  uuid: z.string().nullable(),
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

export type LedgerEvent = z.infer<typeof ledgerEventSchema>;

export type UnsealedLedgerEvent = Omit<LedgerEvent, "hash">;

export const firstPreviousHash = "0".repeat(64);

/**
 * The text whose SHA-256 is a row's hash. Its elements are strings, safe integers or null, so its JSON is unambiguous.
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
