import { z } from "zod";
import type { Channels } from "../../channel.ts";
import { confidenceTiers } from "../../../cardiac/confidence.ts";
import { measures, networkMeasures } from "../../../cardiac/measures/measures.ts";
import { practiceErrors } from "../../../cardiac/agreement/same-day.ts";
import { speciesNames } from "../patients.ts";
import { id, nothing, tier, time } from "../shapes.ts";

/** `independent`: placed without the networks' result; `by_hand`: all points placed after seeing it. */
const decisions = ["accepted", "corrected", "by_hand", "independent"] as const;

const names = measures.map(({ name }) => name);
const pack = z.object({ name: z.string(), version: z.string() });

/** [v], unrounded. `filmId` is null if the film was removed from the worklist. */
const agreementPair = z.object({
  filmId: id.nullable(),
  at: time,
  network: z.number(),
  person: z.number(),
  decision: z.enum(decisions),
  tier: tier.nullable(),
  species: z.enum(speciesNames).nullable(),
  pack: pack.nullable(),
});

const sameDayFilm = z.object({ filmId: id, at: time, value: z.number() });

const filter = z.strictObject({
  measure: z.enum(names),
  pack: pack.optional(),
  tier: z.enum(confidenceTiers).optional(),
  species: z.enum(speciesNames).optional(),
  reader: z.string().max(200).optional(),
  days: z.int().min(1).max(36_525).optional(),
});

export const agreementContract = {
  /** Oldest decision first. `packs`, `readers` and `total` ignore the filter. */
  "agreement.get": {
    request: filter,
    response: z.object({
      pairs: z.array(agreementPair),
      packs: z.array(pack),
      readers: z.array(z.string()),
      total: z.int(),
    }),
    permission: "look",
  },
  /** Measures with a bias in their newest independent readings: mean of network minus user [v]. */
  "agreement.drift": {
    request: nothing,
    response: z.object({ drifts: z.array(z.object({ measure: z.enum(names), count: z.int(), bias: z.number() })) }),
    permission: "look",
    isAvailableWithoutDatabase: true,
  },
  /** Newest first, at most `maxSameDayPairs`. `expected`: deviation according to the films' standard errors [v]. */
  "agreement.sameDay": {
    request: z.strictObject({ measure: z.enum(networkMeasures.map(({ name }) => name)) }),
    response: z.object({
      pairs: z.array(z.tuple([sameDayFilm, sameDayFilm])),
      deviation: z.number().nullable(),
      expected: z.number().nullable(),
    }),
    permission: "look",
  },
  /** Errors that replace those of the pack in comparisons of two of its films; null with too few pairs. */
  "agreement.practiceErrors": { request: nothing, response: practiceErrors, permission: "look" },
} as const satisfies Channels;

export type AgreementPair = z.infer<typeof agreementPair>;
