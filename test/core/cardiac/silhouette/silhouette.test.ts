import { describe, expect, it } from "vitest";
import { distancePx } from "../../../../core/cardiac/points.ts";
import { outlineRules, traceOutline, type SilhouetteMap } from "../../../../core/cardiac/silhouette/silhouette.ts";

const cells = 88;

/** Logits that decrease by one per cell outwards; `inside` returns the distance inside the border [cells]. */
function mapOf(inside: (x: number, y: number) => number): SilhouetteMap {
  return {
    cells,
    logits: Float32Array.from({ length: cells * cells }, (_, at) => inside(at % cells, Math.floor(at / cells))),
  };
}

describe("traceOutline", () => {
  it("finds the border of a disc to a hundredth of a cell", () => {
    const outline = traceOutline(
      mapOf((x, y) => 15 - Math.hypot(x - 44.3, y - 50.7)),
      { x: 43, y: 52 },
    );
    expect(outline).toHaveLength(outlineRules.rays);
    for (const point of outline!) expect(Math.abs(distancePx(point, { x: 44.3, y: 50.7 }) - 15)).toBeLessThan(0.02);
  });

  it("bridges a narrow gap and ignores a second blob beyond a wide one", () => {
    const disc = (x: number, y: number) => 15 - Math.hypot(x - 44, y - 50);
    const gap = mapOf((x, y) => (Math.abs(x - 50) < 0.6 ? -1 : disc(x, y)));
    const blob = mapOf((x, y) => Math.max(disc(x, y), 5 - Math.hypot(x - 74, y - 50)));
    const reach = (map: SilhouetteMap) => Math.max(...traceOutline(map, { x: 44, y: 50 })!.map(({ x }) => x));
    expect(reach(gap)).toBeCloseTo(59, 1);
    expect(reach(blob)).toBeCloseTo(59, 1);
  });

  it.each([
    [12, 12],
    [cells - 1 - 12, cells - 1 - 12],
  ])("finds a border in the outermost cells, around (%i, %i)", (x, y) => {
    const outline = traceOutline(
      mapOf((u, v) => 11.6 - Math.hypot(u - x, v - y)),
      { x, y },
    );
    for (const point of outline!) expect(distancePx(point, { x, y })).toBeCloseTo(11.6, 1);
  });

  it("accepts neighbouring radii that differ by at most a quarter of the smaller one", () => {
    const stepped = (lowerRadius: number) => mapOf((x, y) => (y < 50 ? 10 : lowerRadius) - Math.hypot(x - 44, y - 50));
    expect([14.6, 15].map((radius) => traceOutline(stepped(radius), { x: 44, y: 50 }) !== null)).toEqual([true, false]);
  });

  it.each<[string, SilhouetteMap]>([
    ["is elsewhere", mapOf((x, y) => 10 - Math.hypot(x - 70, y - 20))],
    ["reaches the border of the map", mapOf(() => 1)],
    ["has a spike", mapOf((x, y) => (Math.abs(y - 50) < 1 ? 1 : 10 - Math.hypot(x - 44, y - 50)))],
    ["is a speck", mapOf((x, y) => 1.5 - Math.hypot(x - 44, y - 50))],
    ["is not a number", mapOf(() => Number.NaN)],
  ])("returns null if the silhouette %s", (_, map) => expect(traceOutline(map, { x: 44, y: 50 })).toBeNull());
});
