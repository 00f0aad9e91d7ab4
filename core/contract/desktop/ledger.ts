import { z } from "zod";
import type { Channels } from "../channel.ts";
import { ledgerEventKinds, ledgerEventSchema } from "../../billing/ledger-event.ts";
import { meteredServices } from "../../billing/tariff.ts";
import { identifier, nameOf } from "../../identifiers.ts";
import { id, month, nothing, page, reason, textFile, time } from "./shapes.ts";

/** A charge or a reversal; free calls are not in the ledger. */
const ledgerEvent = ledgerEventSchema.extend({ accountName: z.string() });

const monthlyUsage = z.object({
  accountId: id,
  accountName: z.string(),
  calls: z.int(),
  cardiacCalls: z.int(),
  usgCalls: z.int(),
  amountCents: z.int(),
});

const filter = {
  month: month.optional(),
  service: z.enum(meteredServices).optional(),
  kind: z.enum(ledgerEventKinds).optional(),
  /** Covers account, uuid and note. */
  search: z.string().max(200).default(""),
};

export const ledgerContract = {
  "ledger.usage": {
    request: z.strictObject({ month }),
    response: z.object({ usage: z.array(monthlyUsage), months: z.array(month) }),
    permission: "account",
  },
  /** Newest first. */
  "ledger.events": {
    request: z.strictObject({ ...filter, ...page }),
    response: z.object({ events: z.array(ledgerEvent), total: z.int() }),
    permission: "account",
  },
  "ledger.csv": { request: z.strictObject(filter), response: textFile, permission: "account" },
  /** `fault`: the first fault without a statement; null if the record is intact. */
  "ledger.verify": {
    request: nothing,
    response: z.object({
      rows: z.int(),
      fault: z.object({ subject: z.string(), problem: reason }).nullable(),
      statements: z.array(z.object({ subject: z.string(), why: z.string(), by: z.string(), at: time })),
    }),
    permission: "account",
  },
  "keys.list": {
    request: nothing,
    response: z.object({
      keys: z.array(
        z.object({
          keyId: id,
          name: z.string(),
          accountId: id,
          accountName: z.string(),
          createdAt: time,
          lastUsedAt: time.nullable(),
          revokedAt: time.nullable(),
        }),
      ),
    }),
    permission: "administer",
  },
  /** `key` is returned only once and cannot be retrieved later. */
  "keys.create": {
    request: z.strictObject({ accountName: z.string().trim().pipe(identifier), name: nameOf(120) }),
    response: z.object({ keyId: id, key: z.string() }),
    permission: "administer",
  },
  "keys.rename": {
    request: z.strictObject({ keyId: id, name: nameOf(120).min(1) }),
    response: nothing,
    permission: "administer",
  },
  "keys.revoke": {
    request: z.strictObject({ keyId: id }),
    response: nothing,
    permission: "administer",
  },
} as const satisfies Channels;
