import { distancePx, type Point } from "../points.ts";

const leastVertebrae = 4;
/**
 * Growth from one vertebra to the next. From T4 caudally they grow a little: −0.02 to 0.03 in 21 of 22 real films and
 * in every photograph of the tests. A film that was straightened by wrong corners shrinks or grows along its width.
 */
const usualGrowth = { least: -0.025, most: 0.05 } as const;

/**
 * Mean growth in length from one vertebra to the next (0.02: each is 2 % longer than the one before it), as the slope
 * of the line through the logarithms of their lengths.
 *
 * @param edges  of the vertebrae in order [px]
 * @returns      null for fewer than four vertebrae, or where two edges coincide
 */
export function columnGrowth(edges: readonly Point[]): number | null {
  const logs = edges.slice(1).map((edge, index) => Math.log(distancePx(edges[index] as Point, edge)));
  if (logs.length < leastVertebrae || !logs.every(Number.isFinite)) return null;
  const middle = (logs.length - 1) / 2;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const [rise, run] = logs.reduce(
    ([up, along], log, index) => [up + (index - middle) * (log - mean), along + (index - middle) ** 2],
    [0, 0] as readonly [number, number],
  );
  return rise / run;
}

/** Whether the vertebrae of a film grow regularly; a ruler that is too short counts as regular. */
export function isColumnRegular(edges: readonly Point[]): boolean {
  const growth = columnGrowth(edges);
  return growth === null || (growth >= usualGrowth.least && growth <= usualGrowth.most);
}
