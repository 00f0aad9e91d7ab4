import { distancePx, interpolate, type Point } from "../points.ts";
import { median } from "./vertebral-ruler.ts";

/** Neighbouring vertebrae of real columns differ by less than 12 % in length. */
const evenRules = {
  /** Shares of the median length of the vertebrae around it between which a vertebra's own length is believed. */
  shortest: 0.87,
  longest: 1.15,
  /** How many vertebrae on either side count as around it. */
  reach: 3,
} as const;

/**
 * Gives every vertebra of implausible length the median length of those around it; what follows it moves along. A disc
 * that was passed over, or one found beside the column, otherwise stretches the unit for the whole heart.
 *
 * @param edges  cranial edges in order, n >= 2
 * @returns      the same number of edges; the first stays where it is
 */
export function evenChain(edges: readonly Point[]): readonly Point[] {
  const lengths = edges.slice(1).map((edge, index) => distancePx(edges[index] as Point, edge));
  const { shortest, longest, reach } = evenRules;
  const even: Point[] = edges.slice(0, 1);
  for (const [index, length] of lengths.entries()) {
    const usual = median(lengths.slice(Math.max(0, index - reach), index + reach + 1));
    const isBelieved = !(length > 0) || (length >= shortest * usual && length <= longest * usual);
    const [from, to] = [edges[index] as Point, edges[index + 1] as Point];
    const step = interpolate(from, to, isBelieved ? 1 : usual / length);
    const last = even.at(-1) as Point;
    even.push({ x: last.x + step.x - from.x, y: last.y + step.y - from.y });
  }
  return even;
}
