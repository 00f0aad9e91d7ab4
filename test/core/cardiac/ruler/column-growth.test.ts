import { describe, expect, it } from "vitest";
import { judgePhotograph } from "../../../../core/cardiac/confidence.ts";
import { columnGrowth, isColumnRegular } from "../../../../core/cardiac/ruler/column-growth.ts";
import { measured } from "../../../main/store/sample-store.ts";

function column(growth: number, vertebrae = 6) {
  let x = 100;
  const edges = [{ x, y: 200 }];
  for (let index = 0; index < vertebrae; index += 1) edges.push({ x: (x += 90 * Math.exp(growth * index)), y: 200 });
  return edges;
}

describe("growth of a column", () => {
  it.each([-0.02, 0, 0.013, 0.04])("is measured as %d, and is regular", (growth) => {
    expect(columnGrowth(column(growth))).toBeCloseTo(growth, 10);
    expect(isColumnRegular(column(growth))).toBe(true);
  });

  it.each([-0.04, 0.07])("is irregular at %d, which indicates wrong corners", (growth) => {
    expect(isColumnRegular(column(growth))).toBe(false);
    const photograph = { sharpness: 0.7, score: measured.score };
    const judge = (edges: ReturnType<typeof column>) =>
      judgePhotograph({ ...photograph, ruler: { kind: "detected", edges } }, 0.6);
    expect(judge(column(growth))).toMatchObject({ tier: "review", reviewReasons: [{ kind: "film_border" }] });
    expect(judge(column(0.01)).tier).toBe("optimal");
  });

  it("is treated as regular for three vertebrae, and is null for coinciding edges", () => {
    expect(columnGrowth(column(0.2, 3))).toBeNull();
    expect(columnGrowth(Array.from({ length: 6 }, () => ({ x: 1, y: 1 })))).toBeNull();
    expect(isColumnRegular(column(0.2, 3))).toBe(true);
  });
});
