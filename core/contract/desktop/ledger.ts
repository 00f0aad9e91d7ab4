import { z } from "zod";
import { id, month, nothing, page, textFile, time } from "./shapes.ts";

export const billingTiers = ["paygo", "starter", "professional", "enterprise"] as const;
export const billedServices = ["cardiac", "usg"] as const;

/** One row of the ledger. `amountCents` null: no price is set (USG). */
export const ledgerEvent = z.object({
  seq: z.int(),
  at: time,
  accountId: id,
  accountName: z.string(),
  keyId: id.nullable(),
  service: z.enum(billedServices),
  callType: z.enum(["single", "session"]).nullable(),
  reason: z.string(),
  isBillable: z.boolean(),
  tier: z.enum(billingTiers).nullable(),
  amountCents: z.int().nullable(),
  uuid: z.string().nullable(),
});

/** A month of one account. */
export const monthlyUsage = z.object({
  accountId: id,
  accountName: z.string(),
  month,
  calls: z.int(),
  cardiacCalls: z.int(),
  usgCalls: z.int(),
  amountCents: z.int(),
  /** Tier of the next call. */
  tier: z.enum(billingTiers),
  /** Calls until the next tier begins; null in the last. */
  callsToNextTier: z.int().nullable(),
});

const filter = {
  accountId: id.optional(),
  month: month.optional(),
  service: z.enum(billedServices).optional(),
  reason: z.string().max(40).optional(),
  search: z.string().max(200).default(""),
};

/** Usage, billing events and API keys. */
export const ledgerContract = {
  "ledger.usage": {
    request: z.strictObject({ month: month.optional(), accountId: id.optional() }),
    response: z.object({
      usage: z.array(monthlyUsage),
      months: z.array(month),
      tiers: z.array(z.object({ tier: z.enum(billingTiers), fromCall: z.int(), singleCents: z.int().nullable(), sessionCents: z.int().nullable() })),
    }),
  },
  /** Newest first. */
  "ledger.events": { request: z.strictObject({ ...filter, ...page }), response: z.object({ events: z.array(ledgerEvent), total: z.int() }) },
  "ledger.csv": { request: z.strictObject(filter), response: textFile },
  "ledger.verify": {
    request: nothing,
    response: z.object({ isIntact: z.boolean(), rows: z.int(), brokenAtSeq: z.int().nullable(), message: z.string() }),
  },
  "keys.list": {
    request: nothing,
    response: z.object({
      keys: z.array(
        z.object({ keyId: id, name: z.string(), accountId: id, accountName: z.string(), createdAt: time, lastUsedAt: time.nullable(), revokedAt: time.nullable() }),
      ),
    }),
  },
  /** `key` is shown this once and cannot be had again. */
  "keys.create": {
    request: z.strictObject({ accountName: z.string().trim().min(1).max(120), name: z.string().trim().max(120) }),
    response: z.object({ keyId: id, key: z.string() }),
  },
  "keys.rename": { request: z.strictObject({ keyId: id, name: z.string().trim().min(1).max(120) }), response: z.object({ keyId: id }) },
  "keys.revoke": { request: z.strictObject({ keyId: id }), response: z.object({ keyId: id, revokedAt: time }) },
} as const;

export type LedgerEvent = z.infer<typeof ledgerEvent>;
export type MonthlyUsage = z.infer<typeof monthlyUsage>;
