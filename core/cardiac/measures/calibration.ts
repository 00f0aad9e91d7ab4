import { z } from "zod";

const weight = z.number().min(0).max(100);
const halfWidth = z.number().positive().max(10);
/** Upper limit of the films to which a row applies; null sets no limit. */
const upTo = z.number().positive().nullable();

/** Kind of the film, and the width in its original file up to which a row of a pack's errors applies [px]. */
export const filmsOfRow = { kind: z.enum(["direct", "photograph"]), widthUpToPx: upTo };

/**
 * Expected error, fitted on simulated films: `atRest + votes * votesApart + looks * looksApart`; and the expected
 * errors [v] from which a film is `good` or `review`.
 */
const disagreementRule = z
  .object({
    atRest: weight,
    votes: weight,
    looks: weight,
    goodFrom: z.number().positive(),
    reviewFrom: z.number().positive(),
  })
  .refine(({ goodFrom, reviewFrom }) => goodFrom < reviewFrom, "goodFrom must be below reviewFrom");

/** Errors of a pack on films that its networks were not trained on; the first matching row counts. */
export const calibration = z.object({
  /** Fraction of the calibration films whose true score is within the interval. */
  coverage: z.number().gt(0).lt(1),
  disagreement: disagreementRule.optional(),
  intervals: z
    .array(
      z.object({
        ...filmsOfRow,
        /** Measured VHS [v], since errors grow with the size of the heart. */
        vhsUpTo: upTo,
        spreadUpTo: upTo,
        vhsHalfWidth: halfWidth,
        vlasHalfWidth: halfWidth,
        rladHalfWidth: halfWidth.optional(),
      }),
    )
    .min(1)
    .max(100),
});

export type DisagreementRule = z.infer<typeof disagreementRule>;
export type Calibration = z.infer<typeof calibration>;
