import { describe, expect, it } from "vitest";
import { candidatesIn, type SquareMap } from "../../../../main/inference/screens/corner-candidates.ts";

const side = 20;

/** A map with a Gaussian of 1.2 cells at each [x, y, height]. */
function mapWith(...peaks: readonly (readonly [number, number, number])[]): SquareMap {
  const values = Float32Array.from({ length: side * side }, (_, index) => {
    const awayFrom = (x: number, y: number): number => Math.hypot((index % side) - x, Math.floor(index / side) - y);
    return Math.max(...peaks.map(([x, y, height]) => height * Math.exp(-(awayFrom(x, y) ** 2) / 2 / 1.2 ** 2)));
  });
  return { values, side };
}

describe("candidatesIn", () => {
  it("returns the maxima, highest first, with subcell positions", () => {
    expect(candidatesIn(mapWith([4.25, 5.5, 0.5], [14, 12.25, 0.9]), 3, 0.1, 5)).toEqual([
      {
        at: { x: expect.closeTo(14, 1) as number, y: expect.closeTo(12.25, 1) as number },
        value: expect.closeTo(0.88, 2) as number,
      },
      {
        at: { x: expect.closeTo(4.25, 1) as number, y: expect.closeTo(5.5, 1) as number },
        value: expect.closeTo(0.45, 2) as number,
      },
    ]);
  });

  it("keeps the highest candidates and drops low ones", () => {
    const map = mapWith([4, 4, 0.5], [14, 4, 0.7], [4, 14, 0.3], [14, 14, 0.05]);
    expect(candidatesIn(map, 3, 0.1, 5).map(({ value }) => Number(value.toFixed(2)))).toEqual([0.7, 0.5, 0.3]);
    expect(candidatesIn(map, 3, 0.1, 2)).toHaveLength(2);
  });

  it("returns one candidate for a flat maximum", () => {
    const values = new Float32Array(side * side);
    values[5 * side + 5] = values[5 * side + 6] = 0.8;
    expect(candidatesIn({ values, side }, 3, 0.1, 5)).toEqual([
      { at: { x: 5.5, y: 5 }, value: expect.closeTo(0.8, 6) as number },
    ]);
  });
});
