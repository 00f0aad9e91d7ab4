import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownAngleDeg } from "../../../../core/cardiac/heart-score.ts";
import { distancePx, type Point } from "../../../../core/cardiac/points.ts";
import type { AxisEnds } from "../../../../core/cardiac/landmarks.ts";
import { squareAxes } from "../../../../core/cardiac/silhouette/square-axes.ts";
import { movedHeart } from "../../../fixtures/heart-at.ts";

const upright: AxisEnds = {
  heart_top: { x: 200, y: 100 },
  heart_bottom: { x: 200, y: 400 },
  heart_right: { x: 100, y: 200 },
  heart_left: { x: 300, y: 200 },
};

function turned(ends: AxisEnds, deg: number): AxisEnds {
  const crossing = { x: 200, y: 200 };
  const [cos, sin] = [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)];
  const turn = ({ x, y }: Point): Point => ({
    x: crossing.x + cos * (x - crossing.x) - sin * (y - crossing.y),
    y: crossing.y + sin * (x - crossing.x) + cos * (y - crossing.y),
  });
  return { ...ends, heart_right: turn(ends.heart_right), heart_left: turn(ends.heart_left) };
}

const shifted = ({ x, y }: Point): Point => ({ x: x + 60, y: y + 40 });

const expectSame = (actual: AxisEnds, expected: AxisEnds) => {
  for (const name of ["heart_top", "heart_bottom", "heart_right", "heart_left"] as const)
    expect(distancePx(actual[name], expected[name]), name).toBeLessThan(1e-9);
};

describe("squareAxes", () => {
  it.each([-21, -9, 0, 5, 15, 40])("rotates a short axis %d degrees off back about its crossing", (deg) =>
    expectSame(squareAxes(turned(upright, deg)), upright),
  );

  it("keeps cranial and caudal ends in a mirrored film", () => {
    const mirror = ({ x, y }: Point): Point => ({ x: 600 - x, y });
    expectSame(squareAxes(movedHeart(turned(upright, 12), mirror)), movedHeart(upright, mirror));
  });

  it("returns perpendicular axes of the same lengths for any input", () => {
    const place = fc.record({ x: fc.integer({ min: 0, max: 1000 }), y: fc.integer({ min: 0, max: 1000 }) });
    fc.assert(
      fc.property(place, place, place, place, (heart_top, heart_bottom, heart_right, heart_left) => {
        const ends = { heart_top, heart_bottom, heart_right, heart_left };
        fc.pre(distancePx(heart_top, heart_bottom) > 20 && distancePx(heart_right, heart_left) > 20);
        const squared = squareAxes(ends);
        expect(ownAngleDeg(squared)).toBeCloseTo(90, 6);
        expect(distancePx(squared.heart_right, squared.heart_left)).toBeCloseTo(distancePx(heart_right, heart_left), 4);
      }),
    );
  });

  it.each([-5, -1, 0, 1, 5])("rotates a short axis about its middle, %d degrees from parallel", (deg) => {
    const ends = turned(upright, deg - 90);
    const apart = { ...ends, heart_right: shifted(ends.heart_right), heart_left: shifted(ends.heart_left) };
    const squared = squareAxes(apart);
    const [one, other] = [squared.heart_right, squared.heart_left];
    expect(ownAngleDeg(squared)).toBeCloseTo(90, 6);
    expect({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }).toEqual({
      x: expect.closeTo(260, 6) as number,
      y: expect.closeTo(240, 6) as number,
    });
    expect(distancePx(one, other)).toBeCloseTo(200, 6);
  });

  it.each<[string, Partial<AxisEnds>]>([
    ["a long axis has no length", { heart_bottom: upright.heart_top }],
    ["a short axis has no length", { heart_left: upright.heart_right }],
  ])("returns the same points if %s", (_, change) => {
    const ends = { ...upright, ...change };
    expect(squareAxes(ends)).toEqual(ends);
  });
});
