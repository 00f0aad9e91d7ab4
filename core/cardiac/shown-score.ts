import { ownAngleDeg, type HeartScore } from "./heart-score.ts";
import type { AxisEnds } from "./landmarks.ts";

/** Decimals of a score wherever a person reads it; programs get two, see `roundScore`. */
export const shownDecimals = 1;

/** A score or a limit as a person reads it [v]: what is compared, subtracted and added up is this; null stays null. */
export function shownScore(value: number): number;
export function shownScore(value: number | null): number | null;
export function shownScore(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10 ** shownDecimals) / 10 ** shownDecimals;
}

/** The difference between two scores as shown [v]. */
export function shownChange(from: number, to: number): number {
  return shownScore(shownScore(to) - shownScore(from));
}

/**
 * The two axes as shown [v]: they add up to the VHS beside them; the short axis takes what rounding leaves.
 */
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

/**
 * The angle between the axes as they are drawn, and that between the voted ones where it is another [whole deg].
 *
 * @param heart  the ends of the drawn axes [px]
 */
export function shownAngles(
  heart: AxisEnds,
  { axesAngleDeg }: Pick<HeartScore, "axesAngleDeg">,
): { readonly drawn: number; readonly voted: number | null } {
  const [drawn, found] = [Math.round(ownAngleDeg(heart)), Math.round(axesAngleDeg)];
  return { drawn, voted: found === drawn ? null : found };
}
