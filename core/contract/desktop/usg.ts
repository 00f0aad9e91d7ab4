import { z } from "zod";
import type { Channels } from "../channel.ts";
import { featureKey, usgResultSchema } from "../usg-v1.ts";
import { identifier } from "../../identifiers.ts";
import { packRelease } from "../../cardiac/verdict/provenance.ts";
import { id, month, nothing, page, time } from "./shapes.ts";

/** As typed. The service corrects them as /usg/v1 does, except for values with a stated unit. */
const features = z.record(z.string(), z.union([z.number(), z.string(), z.null()]));

const usgAnswer = z.object({
  result: usgResultSchema,
  /** Probability from which the model classifies a cat as impaired. */
  thresholdImpaired: z.number(),
  release: packRelease.nullable(),
  /** Values used by the model, unrounded; the result contains them with 2 decimals. */
  values: z.record(featureKey, z.number()),
});

const usgScreening = usgAnswer.extend({
  id: z.string(),
  at: time,
  patientId: id.nullable(),
  uuid: z.string().nullable(),
  clinicCode: z.string().nullable(),
});

export const usgContract = {
  "usg.screen": {
    request: z.strictObject({
      features,
      /** Features with a typed or chosen unit. Out of range they are rejected instead of being converted. */
      statedUnits: z.array(featureKey).default([]),
      patientId: id.nullable(),
      clinicCode: z.string().trim().pipe(identifier).nullable().default(null),
    }),
    response: usgScreening,
    permission: "prepare",
  },
  /** Runs the model without storing the result, for the sliders. */
  "usg.whatIf": {
    request: z.strictObject({ features }),
    response: usgAnswer,
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "usg.history": {
    request: z.strictObject({ patientId: id, ...page }),
    response: z.object({ screenings: z.array(usgScreening) }),
    permission: "look",
  },
  "usg.model": {
    request: nothing,
    response: z.object({
      isLoaded: z.boolean(),
      modelVersion: z.string().nullable(),
      /** Urine specific gravity below which a cat was labelled impaired in the training data. */
      sgCutoff: z.number().nullable(),
      release: packRelease.nullable(),
    }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  "usg.report": {
    request: nothing,
    response: z.object({
      rows: z.array(
        z.object({
          clinicCode: z.string(),
          month,
          total: z.int(),
          low: z.int(),
          moderate_low: z.int(),
          moderate_high: z.int(),
          high: z.int(),
          /** Number of valid charges, which only API calls other than rechecks have. */
          billed: z.int(),
        }),
      ),
    }),
    permission: "account",
  },
} as const satisfies Channels;

export type UsgAnswer = z.infer<typeof usgAnswer>;
export type UsgScreening = z.infer<typeof usgScreening>;
