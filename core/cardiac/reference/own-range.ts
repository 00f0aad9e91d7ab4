import { z } from "zod";
import { measures } from "../measures/measures.ts";

/** Fields of a clinic's reference range: limits of healthy animals [v] and their source. */
export const ownRangeFields = z.strictObject({
  species: z.enum(["dog", "cat"]),
  /** As the clinic writes it; empty for all dogs or cats. */
  breed: z
    .string()
    .trim()
    .max(120)
    .regex(/^$|[\p{L}\p{N}]/u),
  measure: z.enum(measures.map(({ name }) => name)),
  /** null if only an upper limit is known. */
  low: z.number().nullable(),
  high: z.number(),
  source: z.string().trim().max(300),
});

/** A clinic's reference range. `enteredBy` and `enteredAt` refer to the current limits. */
export const ownRange = ownRangeFields.extend({
  id: z.uuid(),
  enteredBy: z.string(),
  enteredAt: z.iso.datetime(),
});

export type OwnRangeFields = z.infer<typeof ownRangeFields>;
export type OwnRange = z.infer<typeof ownRange>;
