import { describe, expect, it } from "vitest";
import { columnCurve } from "../../../../core/cardiac/ruler/column-curve.ts";
import type { Point } from "../../../../core/cardiac/points.ts";

const discs = (labels: readonly number[], place: (label: number) => Point) =>
  labels.map((label) => ({ label, place: place(label) }));
const near = ({ x, y }: Point) => ({ x: expect.closeTo(x, 9), y: expect.closeTo(y, 9) });

describe("columnCurve", () => {
  const bent = (label: number): Point => ({ x: 4 + 6 * label, y: 30 + 0.2 * (label - 8) ** 2 });
  const straight = (label: number): Point => ({ x: 4 + 6 * label, y: 90 - 1.5 * label });

  it.each([3, 7, 8, 12])("follows a bent column, including hidden discs: vertebra %d", (label) => {
    expect(columnCurve(discs([3, 4, 5, 6, 9, 10, 11, 12], bent), label)).toEqual(near(bent(label)));
  });

  it.each([0, 16])("continues straight beyond the ends: vertebra %d", (label) => {
    expect(columnCurve(discs([4, 5, 7, 8, 9], straight), label)).toEqual(near(straight(label)));
  });

  it("extrapolates in the direction of the nearer end, not of the whole chain", () => {
    const beyond = [15, 16].map((label) => columnCurve(discs([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], bent), label).y) as [
      number,
      number,
    ];
    const wholeChain = (bent(12).y - bent(2).y) / 10;
    expect({ wholeChain, isRising: beyond[1] - beyond[0] > 0.5 }).toEqual({
      wholeChain: expect.closeTo(-0.4, 9),
      isRising: true,
    });
  });

  it("weights nearby discs more than distant ones", () => {
    const kinked = (label: number): Point => ({ x: 6 * label, y: label < 10 ? 50 : 50 + 6 * (label - 10) });
    const chain = discs([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], kinked);
    expect(Math.abs(columnCurve(chain, 2).y - 50)).toBeLessThan(0.05);
  });
});
