import { ownAngleDeg, type HeartScore } from "./heart-score.ts";
import type { AxisEnds } from "./landmarks.ts";

/** Displayed decimals of a score. Other programs receive two, see `roundScore`. */
export const shownDecimals = 1;

/**
 * Rounds a score or limit as displayed [v]. Comparisons, differences and sums use the rounded values. null stays null.
 */
export function shownScore(value: number): number;
export function shownScore(value: number | null): number | null;
export function shownScore(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10 ** shownDecimals) / 10 ** shownDecimals;
}

/** Difference between two scores as displayed [v]. */
export function shownChange(from: number, to: number): number {
  return shownScore(shownScore(to) - shownScore(from));
}

/** Both axes as displayed [v]. They add up to the displayed VHS; the short axis absorbs the rounding. */
export function shownAxes({
  vhs,
  longAxisVertebrae,
  shortAxisVertebrae,
}: Pick<HeartScore, "vhs" | "longAxisVertebrae" | "shortAxisVertebrae">): {
  readonly long: number | null;
  readonly short: number | null;
} {
  const long = shownScore(longAxisVertebrae);
  const isSum = vhs !== null && long !== null && shortAxisVertebrae !== null;
  return { long, short: isSum ? shownChange(long, vhs) : shownScore(shortAxisVertebrae) };
}

/** Displayed decimals of the ensemble spread: one more than its limits have. */
export const spreadDecimals = 4;

/** Rounds a spread down, so that the displayed value is below a limit exactly if the spread is. */
export function shownSpread(spread: number): number {
  // A product such as 0.0057 * 10 ** 4 is slightly below the whole number.
  return Math.floor(spread * 10 ** spreadDecimals + 1e-6) / 10 ** spreadDecimals;
}

/** Angle between the drawn axes, and the voted angle if it differs [whole degrees]. */
export function shownAngles(
  heart: AxisEnds,
  { axesAngleDeg }: Pick<HeartScore, "axesAngleDeg">,
): { readonly drawn: number; readonly voted: number | null } {
  const [drawn, found] = [Math.round(ownAngleDeg(heart)), Math.round(axesAngleDeg)];
  return { drawn, voted: found === drawn ? null : found };
}
