import { describe, expect, it } from "vitest";
import { distancePx, type Point } from "../../../../../core/cardiac/points.ts";
import { evenChain } from "../../../../../core/cardiac/ruler/even/even-chain.ts";

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
  /** A normal thorax from T4: short vertebrae first, long ones last. */
  const usual = [47.5, 48, 49, 49.5, 50.5, 51, 53.5, 57.5, 59.5, 62, 64, 66];
  const changed = (shares: Readonly<Record<number, number>>) =>
    columnOf(...usual.map((length, index) => length * (shares[index] ?? 1)));
  const near = usual.map((length) => expect.closeTo(length, 2));

  it("keeps a column whose vertebrae grow caudally", () => {
    const column = columnOf(50, 51, 53, 52, 55, 57, 58, 60, 62);
    expect(lengthsOf(evenChain(column))).toEqual(lengthsOf(column));
  });

  it("replaces the lengths next to a skipped disc and moves later edges along", () => {
    const even = evenChain(changed({ 2: 1.35, 3: 1.19 }));
    expect(lengthsOf(even)).toEqual(near);
    expect(even[0]).toEqual({ x: 100, y: 200 });
  });

  it("derives the first five lengths from the remaining vertebrae", () => {
    expect(lengthsOf(evenChain(changed({ 0: 1.3, 1: 1.3, 2: 1.3, 3: 1.3, 4: 1.3 })))).toEqual(near);
  });

  it("ignores edges without a visible disc", () => {
    const drawn = Object.fromEntries(usual.map((_, index) => [index, index < 5 ? 1 : 1.3]));
    const isSeen = [...usual, 0].map((_, index) => index <= 5);
    expect(lengthsOf(evenChain(changed(drawn), isSeen))).toEqual(near);
    const four = [...usual, 0].map((_, index) => index < 5);
    expect(lengthsOf(evenChain(changed(drawn), four))).toEqual(near);
  });

  it("corrects both neighbours of a disc found outside the column", () => {
    expect(lengthsOf(evenChain(changed({ 2: 0.8, 3: 1.2 })))).toEqual(near);
  });

  it("corrects any single implausible length", () => {
    for (let at = 0; at < usual.length; at++)
      for (const share of [0.5, 0.8, 1.2, 1.35, 2])
        expect(lengthsOf(evenChain(changed({ [at]: share })))).toEqual(near);
  });

  it("keeps coinciding edges, and two edges", () => {
    const same = Array.from({ length: 5 }, () => ({ x: 7, y: 7 }));
    expect(evenChain(same)).toEqual(same);
    expect(evenChain(columnOf(50))).toEqual(columnOf(50));
    const [first, ...others] = columnOf(...usual);
    expect(evenChain([first!, first!, ...others])[1]).toEqual(first);
  });
});
