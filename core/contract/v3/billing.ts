import { z } from "zod";
import { callTypes, tariffTiers } from "../../billing/tariff.ts";
import { integer } from "./values.ts";

const volumeTier = z.enum(tariffTiers);

/** Billing object of a billed call (section 2.6). */
const billableBilling = z.strictObject({
  billable: z.literal(true),
  reason: z.literal("valid_vhs"),
  call_type: z.enum(callTypes),
  monthly_usage: integer.min(1),
  tier: volumeTier,
  rate: z.number().min(0).meta({ description: "US dollars" }),
});

export const freeBilling = z.strictObject({
  billable: z.literal(false),
  reason: z.enum(["no_valid_vhs", "recheck_24h", "billing_error"]),
  monthly_usage: integer.min(0),
  tier: volumeTier,
});

export const billing = z.discriminatedUnion("billable", [billableBilling, freeBilling]);

export type Billing = z.infer<typeof billing>;
