import { z } from "zod";
import { filmsOfRow } from "../measures/calibration.ts";
import { confidenceTiers, type ConfidenceTier } from "../confidence.ts";
import { isWithinLimit, type CalibratedFilm } from "../score-intervals.ts";

const standardError = z.number().positive().max(10);

/**
 * Standard errors of the scores of films up to a width and of a tier [v], without the part that two films of one animal
 * share when one pack measures both; the first matching row counts. The difference of two such films has the standard
 * error sqrt(e1² + e2²), to which the phase of the heart is added.
 */
export const repeatability = z.object({
  errors: z
    .array(
      z.object({
        ...filmsOfRow,
        /** null for all tiers. */
        tier: z.enum(confidenceTiers).nullable(),
        vhsError: standardError,
        vlasError: standardError,
      }),
    )
    .min(1)
    .max(100),
});

export type Repeatability = z.infer<typeof repeatability>;

/** Standard error of one film's scores [v]. */
export const repeatErrors = z.object({ vhs: z.number(), vlas: z.number() });
export type RepeatErrors = z.infer<typeof repeatErrors>;

/** Errors of a film by the first row that applies; null if none does, so that only the full error is known. */
export function repeatErrorsOf(
  stated: Repeatability | null | undefined,
  film: Omit<CalibratedFilm, "spread"> & { readonly tier: ConfidenceTier },
): RepeatErrors | null {
  const row = stated?.errors.find(
    ({ kind, widthUpToPx, tier }) =>
      kind === film.kind && isWithinLimit(film.widthPx, widthUpToPx) && (tier === null || tier === film.tier),
  );
  return row ? { vhs: row.vhsError, vlas: row.vlasError } : null;
}
