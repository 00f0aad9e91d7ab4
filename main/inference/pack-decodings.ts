import { z } from "zod";
import type { CornerDecoding } from "./corner-decoding.ts";
import { gateKinds, type GateDecoding } from "./gate-decoding.ts";

/** `manifest.decoding` of a gate pack. */
export const gateDecodingSchema: z.ZodType<GateDecoding> = z.object({
  kinds: z.array(z.enum(gateKinds)).length(gateKinds.length),
  rejectAtOrAbove: z.number().min(0).max(1),
  rejectDirectAtOrAbove: z.number().min(0).max(1).optional(),
  rejectRectifiedAtOrAbove: z.number().min(0).max(1).optional(),
});

/** `manifest.decoding` of a corner pack. */
export const cornerDecodingSchema: z.ZodType<CornerDecoding> = z.object({
  stridePx: z.number().positive(),
  refineCells: z.int().min(0),
  minimumEvidence: z.number().min(0).max(1),
  minimumAreaFraction: z.number().min(0).max(1),
  secondLookFill: z.number().positive().max(1),
});
