import { describe, expect, it } from "vitest";
import type { Point } from "../../../../core/cardiac/points.ts";
import { agreedRuler, recountedRuler } from "../../../../core/cardiac/ruler/agreed-ruler.ts";

/** A horizontal column of vertebrae with these lengths [px]. */
const column = (lengthsPx: readonly number[], fromX = 0): Point[] => {
  const edges = [{ x: fromX, y: 100 }];
  for (const length of lengthsPx) edges.push({ x: (edges.at(-1) as Point).x + length, y: 100 });
  return edges;
};
const even = [40, 40, 40, 40, 40];

describe("agreedRuler", () => {
  it("keeps a single chain", () => {
    expect(agreedRuler(column(even), [])).toEqual(column(even));
  });

  it("uses the median length if the common chain or a member skips a disc", () => {
    const leapt = column([40, 72, 40, 40, 40]);
    expect(agreedRuler(leapt, [column(even), column(even)])).toEqual(column(even));
    expect(agreedRuler(column(even), [leapt, column(even)])).toEqual(column(even));
  });

  it("keeps the first edge and the column's direction", () => {
    const oblique = column(even).map(({ x }) => ({ x: 3 + 0.6 * x, y: 4 + 0.8 * x }));
    const [first, second] = agreedRuler(oblique, [column([50, 50]), column([50, 50])]);
    expect(first).toEqual(oblique[0]);
    expect(second).toEqual({ x: expect.closeTo(33, 9) as number, y: expect.closeTo(44, 9) as number });
  });

  it("does not depend on the vertebra from which a member counts", () => {
    expect(agreedRuler(column(even), [column(even, 40), column(even, -40)])).toEqual(column(even));
  });

  it("continues with longer chains beyond the end of a member", () => {
    expect(agreedRuler(column(even), [column([40]), []])).toEqual(column(even));
  });

  it("returns finite positions for coinciding edges", () => {
    const torn = column([40, 0, 40]);
    for (const members of [[], [column([40, 40, 40])], [column([0, 0, 0]), column([0, 0, 0])]])
      expect(agreedRuler(torn, members).every(({ x, y }) => Number.isFinite(x + y))).toBe(true);
  });
});

describe("recountedRuler", () => {
  const agreed = column(even);

  it("starts one vertebra later for a more caudal T4", () => {
    expect(recountedRuler(agreed, { direction: "caudal", edges: column([44, 44], 40) })).toEqual(agreed.slice(1));
  });

  it("starts one vertebra earlier for a more cranial T4", () => {
    const counted = { direction: "cranial", edges: column([38, 44, 44, 44, 44], -38) } as const;
    expect(recountedRuler(agreed, counted)).toEqual([{ x: -38, y: 100 }, ...agreed.slice(0, -1)]);
  });
});
