import type { ConfidenceTier } from "../confidence.ts";
import { isWithinLimit, type CalibratedFilm } from "../score-intervals.ts";

/**
 * Standard errors of the scores of films up to a width and of a tier [v], without the part that two films of one animal
 * share when one pack measures both. The difference of two such films has the standard error sqrt(e1² + e2²), to which
 * the phase of the heart is added. null sets no limit.
 */
type RepeatabilityRow = {
  readonly kind: CalibratedFilm["kind"];
  /** Width of the film in the original file [px]. */
  readonly widthUpToPx: number | null;
  readonly tier: ConfidenceTier | null;
  readonly vhsError: number;
  readonly vlasError: number;
};

export type Repeatability = { readonly errors: readonly RepeatabilityRow[] };

/** Standard error of one film's scores [v]. */
export type RepeatErrors = { readonly vhs: number; readonly vlas: number };

/**
 * Standard errors of a film's scores between films of one animal measured by the same pack, by the first row that
 * applies.
 *
 * @param repeatability  null or undefined for a pack that states none
 * @returns              null if no row applies, so that only the full error from the film's interval is known
 */
export function repeatErrorsOf(
  repeatability: Repeatability | null | undefined,
  film: Omit<CalibratedFilm, "spread"> & { readonly tier: ConfidenceTier },
): RepeatErrors | null {
  const row = repeatability?.errors.find(
    ({ kind, widthUpToPx, tier }) =>
      kind === film.kind && isWithinLimit(film.widthPx, widthUpToPx) && (tier === null || tier === film.tier),
  );
  return row ? { vhs: row.vhsError, vlas: row.vlasError } : null;
}
