import { describe, expect, it } from "vitest";
import { axesOfOutline } from "../../../../core/cardiac/silhouette/axes-of-outline.ts";
import { ownAngleDeg } from "../../../../core/cardiac/heart-score.ts";
import type { HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import { axesAngleDeg, distancePx, type Point } from "../../../../core/cardiac/points.ts";
import { outlineRules, traceOutline, type SilhouetteMap } from "../../../../core/cardiac/silhouette/silhouette.ts";

const cells = 88;

/**
 * Logits that decrease by one per cell outwards; `inside` returns the distance of a position inside the border [cells].
 */
function mapOf(inside: (x: number, y: number) => number): SilhouetteMap {
  return {
    cells,
    logits: Float32Array.from({ length: cells * cells }, (_, at) => inside(at % cells, Math.floor(at / cells))),
  };
}

/** An ellipse with half axes of 17 and 13 cells around (44, 50), rotated by `deg`. */
const ellipse = (deg: number) => {
  const [cos, sin] = [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)];
  return (x: number, y: number) => {
    const [dx, dy] = [x - 44, y - 50];
    return 13 * (1 - Math.hypot((cos * dx + sin * dy) / 13, (-sin * dx + cos * dy) / 17));
  };
};

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

describe("axesOfOutline", () => {
  const voted: HeartLandmarks = {
    heart_top: { x: 44, y: 33.5 },
    heart_bottom: { x: 45, y: 65 },
    heart_right: { x: 32, y: 46 },
    heart_left: { x: 56, y: 43 },
    VLAS: { x: 50, y: 36 },
  };
  const outlineOf = (inside: (x: number, y: number) => number) => traceOutline(mapOf(inside), { x: 44, y: 50 })!;

  it("derives the long axis from carina to apex, and the short axis from border to border", () => {
    const axes = axesOfOutline(outlineOf(ellipse(0)), voted)!;
    expect(axes.heart_top).toEqual(voted.heart_top);
    expect(axes.VLAS).toEqual(voted.VLAS);
    // The apex is 33.5 px away. Points within 1 % of that count as equally distant; the votes select one of them.
    expect(distancePx(axes.heart_top, axes.heart_bottom)).toBeGreaterThan(33.5 * 0.99 - 0.2);
    expect(ownAngleDeg(axes)).toBeCloseTo(90, 6);
    // Crossing at the voted level, 0.35 of the long axis, where the ellipse is 25.2 wide.
    expect(distancePx(axes.heart_right, axes.heart_left)).toBeCloseTo(25.2, 0);
    expect(axes.heart_right.x).toBeLessThan(axes.heart_left.x);
  });

  it("does not depend on the first point of the outline", () => {
    const coarse = outlineOf(ellipse(0)).filter((_, index) => index % 6 === 0);
    const first = axesOfOutline(coarse, voted);
    expect(first).not.toBeNull();
    for (const start of coarse.keys())
      expect(axesOfOutline([...coarse.slice(start), ...coarse.slice(0, start)], voted)).toEqual(first);
  });

  it("selects the voted point of a blunt apex", () => {
    // Circular around the carina, so that all border points below it are equally distant.
    const bowl = outlineOf((x, y) => Math.min(24 - Math.hypot(x - 44, y - 40), 13 - Math.abs(x - 44)));
    const mean = (degrees: number) => ({
      x: 44 + 27 * Math.sin((degrees * Math.PI) / 180),
      y: 40 + 27 * Math.cos((degrees * Math.PI) / 180),
    });
    for (const degrees of [-12, 0, 12]) {
      const top = { x: 44, y: 40 };
      const axes = axesOfOutline(bowl, { ...voted, heart_top: top, heart_bottom: mean(degrees) });
      expect(axes && axesAngleDeg(top, axes.heart_bottom, top, mean(degrees))).toBeLessThan(2.5);
    }
  });

  it.each([
    [0.1, 0.28],
    [0.3, 0.3],
    [0.6, 0.37],
  ])("limits a voted level of %f to the clinicians' range: %f", (level, expected) => {
    const y = voted.heart_top.y + level * 33.5;
    const upright = { ...voted, heart_bottom: { x: 44, y: 67 }, heart_right: { x: 32, y }, heart_left: { x: 56, y } };
    const { heart_top, heart_bottom, heart_right, heart_left } = axesOfOutline(outlineOf(ellipse(0)), upright)!;
    const middle: Point = { x: heart_top.x, y: (heart_right.y + heart_left.y) / 2 };
    expect(distancePx(heart_top, middle) / distancePx(heart_top, heart_bottom)).toBeCloseTo(expected, 1);
  });

  it("keeps cranial and caudal ends in a mirrored film", () => {
    const mirror = ({ x, y }: Point): Point => ({ x: 88 - x, y });
    const mirrored = Object.fromEntries(
      Object.entries(voted).map(([name, point]) => [name, mirror(point)]),
    ) as HeartLandmarks;
    const one = axesOfOutline(outlineOf(ellipse(0)), voted)!;
    const other = axesOfOutline(outlineOf(ellipse(0)).map(mirror), mirrored)!;
    for (const name of ["heart_bottom", "heart_right", "heart_left"] as const)
      expect(distancePx(mirror(other[name]), one[name]), name).toBeLessThan(1e-9);
  });

  it.each<[string, (x: number, y: number) => number, Partial<HeartLandmarks>]>([
    ["has another direction than the votes", ellipse(0), { heart_bottom: { x: 70, y: 50 } }],
    ["is half as long", (x, y) => 8 - Math.hypot(x - 44, y - 44), {}],
    ["is far wider", ellipse(0), { heart_right: { x: 40, y: 45 }, heart_left: { x: 48, y: 44 } }],
    ["has votes without a level", ellipse(0), { heart_right: { x: 43, y: 40 }, heart_left: { x: 45, y: 60 } }],
  ])("returns null if the outline %s", (_, inside, change) => {
    const outline = traceOutline(mapOf(inside), { x: 44, y: 46 })!;
    expect(axesOfOutline(outline, { ...voted, ...change })).toBeNull();
  });
});
