import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { vertebralHeartScore } from "../../../../core/cardiac/measures/vhs.ts";
import { distancePx, type Point } from "../../../../core/cardiac/points.ts";
import { median } from "../../../../core/median.ts";
import {
  buildRuler,
  edgesToVertebraB,
  fallbackRuler,
  isReliable,
  extendsBeyondRuler,
  vertebraeSpanned,
} from "../../../../core/cardiac/ruler/vertebral-ruler.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const column = (...lengthsPx: number[]): Point[] => {
  let x = 0;
  return [{ x, y: 0 }, ...lengthsPx.map((length) => ({ x: (x += length), y: 0 }))];
};

describe("vertebraeSpanned", () => {
  it("counts whole vertebrae and the fraction of the last one", () => {
    expect(vertebraeSpanned(45, column(10, 20, 30, 40))).toBe(2.5);
  });

  it("treats an edge as the end of its vertebra", () => {
    expect(vertebraeSpanned(30, column(10, 20, 30))).toBe(2);
  });

  it("continues in units of the last vertebra beyond the last edge", () => {
    expect(vertebraeSpanned(100, column(10, 20, 20))).toBe(2 + 70 / 20);
  });

  it("detects a length beyond the ruler, with one more part for a fallback ruler", () => {
    const edges = column(10, 10, 10);
    const beyond = (lengthPx: number, kind: "detected" | "fallback") => extendsBeyondRuler(lengthPx, { edges, kind });
    expect([30, 30.1].map((px) => beyond(px, "detected"))).toEqual([false, true]);
    expect([40, 40.1].map((px) => beyond(px, "fallback"))).toEqual([false, true]);
  });

  it("measures along a bent column, not the chord", () => {
    const bent = pointsAt([0, 0], [10, 0], [10, 10]);
    expect(vertebraeSpanned(15, bent)).toBe(1.5);
  });

  it.each([[[]], [[{ x: 1, y: 1 }]], [column(10, 0, 10)]])("throws for a column without length: %j", (edges) => {
    expect(() => vertebraeSpanned(10, edges)).toThrow(new AppError("EDGES_COINCIDE"));
  });
});

describe("published example of the six-part formula", () => {
  const long = distancePx({ x: 278.07, y: 206.121 }, { x: 327.664, y: 440.167 });
  const short = distancePx({ x: 170.622, y: 317.702 }, { x: 367.556, y: 275.972 });
  const ruler = fallbackRuler({ x: 182.278, y: 143.544 }, { x: 396.873, y: 139.136 });

  it("returns 12.31502807 within the precision of the printed coordinates", () => {
    expect(vertebralHeartScore(long, short, ruler.edges)).toBeCloseTo(12.31502807, 4);
  });
});

describe("buildRuler", () => {
  it("ends at the vertebra in which the long axis ends", () => {
    expect(buildRuler(column(...Array(10).fill(20)), 107)).toEqual({
      edges: column(...Array(6).fill(20)),
      kind: "detected",
    });
  });

  it.each([
    ["a segment 1.6 times the median", column(20, 20, 32, 20, 20, 20), 110],
    ["a segment half the median", column(20, 20, 10, 20, 20, 20), 105],
    ["fewer than four vertebrae", column(20, 20, 20, 20), 55],
    ["more than eight vertebrae", column(...Array(12).fill(20)), 170],
    ["coinciding edges", column(20, 0, 20, 20, 20, 20), 90],
  ])("falls back to six equal parts for %s", (_fault, edges, longPx) => {
    const ruler = buildRuler(edges, longPx);
    expect(ruler.kind).toBe("fallback");
    expect(ruler.edges).toHaveLength(7);
    expect(ruler.edges[0]).toEqual(edges[0]);
  });

  it("throws for two coinciding points", () => {
    expect(() => buildRuler(pointsAt([3, 3], [3, 3]), 100)).toThrow(new AppError("EDGES_COINCIDE"));
  });
});

describe("properties of the ruler", () => {
  const segments = fc.array(fc.double({ min: 5, max: 60, noNaN: true }), { minLength: 1, maxLength: 12 });
  const lengthPx = fc.double({ min: 0, max: 900, noNaN: true });

  it("is monotonic in the length", () => {
    fc.assert(
      fc.property(segments, lengthPx, lengthPx, (lengths, a, b) => {
        const edges = column(...lengths);
        expect(vertebraeSpanned(Math.max(a, b), edges)).toBeGreaterThanOrEqual(vertebraeSpanned(Math.min(a, b), edges));
      }),
    );
  });

  it("does not depend on scale, rotation, mirroring or position", () => {
    const move = fc.record({
      scale: fc.double({ min: 0.1, max: 20, noNaN: true }),
      turn: fc.double({ min: 0, max: 6.3, noNaN: true }),
      flip: fc.boolean(),
    });
    fc.assert(
      fc.property(segments, lengthPx, move, (lengths, length, { scale, turn, flip }) => {
        const moved = column(...lengths).map(({ x, y }) => ({
          x: scale * (x * Math.cos(turn) - y * Math.sin(turn)) * (flip ? -1 : 1) + 40,
          y: scale * (x * Math.sin(turn) + y * Math.cos(turn)) - 70,
        }));
        expect(vertebraeSpanned(length * scale, moved)).toBeCloseTo(vertebraeSpanned(length, column(...lengths)), 6);
      }),
    );
  });

  it("keeps A, and places B at or beyond the end of the long axis if edges suffice", () => {
    fc.assert(
      fc.property(segments, lengthPx, (lengths, length) => {
        const edges = column(...lengths);
        const toB = edgesToVertebraB(edges, length);
        expect(toB[0]).toEqual(edges[0]);
        const reachPx = (toB.at(-1) as Point).x;
        if (toB.length < edges.length) expect(reachPx).toBeGreaterThanOrEqual(length - 1e-6);
      }),
    );
  });
});

describe("limits of the ruler", () => {
  it("accepts 4 to 8 segments of 60 to 150 % of their median", () => {
    const isBelieved = (...lengthsPx: number[]) => isReliable(column(...lengthsPx));
    const counts = [3, 4, 8, 9].map((count) => isBelieved(...Array<number>(count).fill(10)));
    expect(counts).toEqual([false, true, true, false]);
    const lengths = [5.9, 6, 15, 15.1].map((px) => isBelieved(10, 10, px, 10, 10));
    expect(lengths).toEqual([false, true, true, false]);
  });

  it("ends a fallback ruler at the seventh detected edge, or at the last one", () => {
    const uneven = column(10, 30, 10, 30, 10, 30, 10, 30, 10);
    expect(buildRuler(uneven, 150).edges.at(-1)).toEqual(uneven[6]);
    expect(buildRuler(uneven.slice(0, 4), 150).edges.at(-1)).toEqual(uneven[3]);
    expect(buildRuler(uneven.slice(0, 2), 150)).toMatchObject({ kind: "fallback", edges: { length: 7 } });
  });

  it("places Vertebra B at the edge at which the axis ends, at least one vertebra from A", () => {
    const even = column(10, 10, 10, 10, 10, 10);
    const counts = [0, 10, 40, 40.001, 90].map((px) => edgesToVertebraB(even, px).length);
    expect(counts).toEqual([2, 2, 5, 6, 7]);
  });

  it("averages the middle two of an even count, and throws without values", () => {
    expect([median([9, 1, 10]), median([10, 9, 1, 2]), median([4])]).toEqual([9, 5.5, 4]);
    expect(() => median([])).toThrow(new AppError("INTERNAL", "median of no values"));
  });
});

it.each([[[]], [column()]])("throws for fewer than two edges: %j", (edges) =>
  expect(() => buildRuler(edges, 100)).toThrowError(expect.objectContaining({ code: "EDGES_COINCIDE" }) as Error),
);
