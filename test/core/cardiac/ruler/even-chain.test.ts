import { describe, expect, it } from "vitest";
import { distancePx, type Point } from "../../../core/cardiac/points.ts";
import { evenChain } from "../../../core/cardiac/ruler/even-chain.ts";

/** Edges along a line that rises a little, from the lengths of the vertebrae. */
function columnOf(...lengths: number[]): Point[] {
  const edges = [{ x: 100, y: 200 }];
  for (const length of lengths) {
    const last = edges.at(-1)!;
    edges.push({ x: last.x + 0.96 * length, y: last.y - 0.28 * length });
  }
  return edges;
}
const lengthsOf = (edges: readonly Point[]) =>
  edges.slice(1).map((edge, index) => Math.round(1000 * distancePx(edges[index]!, edge)) / 1000);

describe("evenChain", () => {
  it("leaves a column whose vertebrae grow caudally as it is", () => {
    const column = columnOf(50, 51, 53, 52, 55, 57, 58, 60, 62);
    expect(lengthsOf(evenChain(column))).toEqual(lengthsOf(column));
  });

  it("gives vertebrae over which a disc was passed the usual length, and moves the rest along", () => {
    const even = evenChain(columnOf(50, 50, 67.5, 59.5, 50, 50, 50));
    expect(lengthsOf(even)).toEqual([50, 50, 50, 50, 50, 50, 50]);
    expect(even[0]).toEqual({ x: 100, y: 200 });
    expect(distancePx(even[7]!, columnOf(350)[1]!)).toBeLessThan(1e-9);
  });

  it("takes a disc found beside the column for an error of both its neighbours", () => {
    expect(lengthsOf(evenChain(columnOf(50, 50, 40, 60, 50, 50)))).toEqual([50, 50, 50, 50, 50, 50]);
  });

  it("leaves no vertebra that differs by more than 15 % from those around it, for any single fault", () => {
    for (let at = 0; at < 9; at++)
      for (const share of [0.5, 0.8, 1.2, 1.35, 2]) {
        const lengths = Array.from({ length: 9 }, (_, index) => (index === at ? 50 * share : 50));
        for (const length of lengthsOf(evenChain(columnOf(...lengths)))) expect(length).toBe(50);
      }
  });

  it("takes edges in one place, and two edges, as they are", () => {
    const same = Array.from({ length: 5 }, () => ({ x: 7, y: 7 }));
    expect(evenChain(same)).toEqual(same);
    expect(evenChain(columnOf(50))).toEqual(columnOf(50));
  });
});
