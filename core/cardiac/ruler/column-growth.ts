import { segmentLengthsPx, type Point } from "../points.ts";

const minVertebrae = 4;
/**
 * Usual growth from one vertebra to the next. From T4 caudally vertebrae grow slightly: −0.02 to 0.03 in 21 of 22 real
 * films and in every photograph of the tests. A film rectified with wrong corners shrinks or grows along its width.
 */
const usualGrowth = { least: -0.025, most: 0.05 } as const;

/**
 * Mean relative growth in length from one vertebra to the next (0.02 is 2 %), as the slope of the regression line of
 * the logarithms of the lengths; null for fewer than four vertebrae or coinciding edges.
 */
export function columnGrowth(edges: readonly Point[]): number | null {
  const logs = segmentLengthsPx(edges).map(Math.log);
  if (logs.length < minVertebrae || !logs.every(Number.isFinite)) return null;
  const middle = (logs.length - 1) / 2;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const [rise, run] = logs.reduce(
    ([up, along], log, index) => [up + (index - middle) * (log - mean), along + (index - middle) ** 2],
    [0, 0] as readonly [number, number],
  );
  return rise / run;
}

/** Whether the vertebrae of a film grow as usual; true for a ruler that is too short. */
export function isColumnRegular(edges: readonly Point[]): boolean {
  const growth = columnGrowth(edges);
  return growth === null || (growth >= usualGrowth.least && growth <= usualGrowth.most);
}
