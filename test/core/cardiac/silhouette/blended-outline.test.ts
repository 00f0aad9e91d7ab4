import { describe, expect, it } from "vitest";
import { distancePx, type Point } from "../../../../core/cardiac/points.ts";
import { blendedOutline } from "../../../../core/cardiac/silhouette/blended-outline.ts";

const centre = { x: 50, y: -20 };
const circle = (radius: number, around: Point = centre, turn = 0.4, corners = 90) =>
  Array.from({ length: corners }, (_, index) => {
    const angle = turn + (2 * Math.PI * index) / corners;
    return { x: around.x + radius * Math.cos(angle), y: around.y + radius * Math.sin(angle) };
  });

describe("blendedOutline", () => {
  it("returns the mean of two outlines, regardless of their corners", () => {
    const blended = blendedOutline(circle(10), circle(20, centre, 1.7, 77).reverse(), centre, 0.5)!;
    for (const point of blended) expect(distancePx(point, centre)).toBeCloseTo(15, 1);
    blended.forEach(({ x, y }, ray) => {
      const turn = (2 * Math.PI * ray) / blended.length;
      expect([(x - centre.x) / 15, (y - centre.y) / 15]).toEqual([
        expect.closeTo(Math.cos(turn), 2),
        expect.closeTo(Math.sin(turn), 2),
      ]);
    });
  });

  it("interpolates linearly in the angle between two corners", () => {
    const corners = [10, 20, 10, 20].map((radius, quarter) => ({
      x: centre.x + radius * Math.cos((quarter * Math.PI) / 2),
      y: centre.y + radius * Math.sin((quarter * Math.PI) / 2),
    }));
    const blended = blendedOutline(corners, corners, centre, 0.5)!;
    const radii = [1, 3, 5, 7].map((eighth) => distancePx(blended[(eighth * blended.length) / 8]!, centre));
    expect(radii).toEqual(radii.map(() => expect.closeTo(15, 6) as number));
  });

  it("returns an outline blended with itself, around an off-centre point", () => {
    const middle = { x: centre.x + 8, y: centre.y - 5 };
    const round = circle(30, middle, 0, 360);
    for (const point of blendedOutline(round, round, centre, 0.5)!)
      expect(distancePx(point, middle)).toBeCloseTo(30, 1);
  });

  it("returns the only outline, null without any", () => {
    const only = circle(10);
    expect(blendedOutline(null, only, centre, 0.5)).toBe(only);
    expect(blendedOutline(only, null, centre, 0.5)).toBe(only);
    expect(blendedOutline(null, null, centre, 0.5)).toBeNull();
  });
});
