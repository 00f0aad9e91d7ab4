import { describe, expect, it } from "vitest";
import type { HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import type { Point } from "../../../../core/cardiac/points.ts";
import { axesOfOutline } from "../../../../core/cardiac/silhouette/axes-of-outline.ts";
import { heartAt, movedHeart } from "../../../fixtures/heart-at.ts";

const at = (x: number, y: number): Point => ({ x, y });
/** Widest, from -40 to 40, at a third of the way from the carina at (0, 0) to the apex at (0, 100). */
const outline = [at(-20, 0), at(20, 0), at(40, 33), at(0, 100), at(-40, 33)];
const voted = heartAt([0, 0], [0, 98], [-35, 20], [35, 45], [10, 5]);
const isBelieved = (change: Partial<HeartLandmarks>) => axesOfOutline(outline, { ...voted, ...change }) !== null;
const close = ({ x, y }: Point) => ({ x: expect.closeTo(x, 9), y: expect.closeTo(y, 9) });
const level = (y: number) => ({ heart_right: at(-35, y), heart_left: at(35, y) });
const width = (px: number) => ({ heart_right: at(-px / 2, 33), heart_left: at(px / 2, 33) });
const turned = (px: number, deg: number) =>
  at(px * Math.sin((deg * Math.PI) / 180), px * Math.cos((deg * Math.PI) / 180));

describe("axes of an outline", () => {
  it("extend from the carina to the apex, and perpendicular to it from border to border", () => {
    const found = axesOfOutline(outline, { ...voted, heart_bottom: at(0, 100), ...level(33) });
    expect(found).toEqual({
      ...voted,
      heart_bottom: at(0, 100),
      heart_right: close(at(-40, 33)),
      heart_left: close(at(40, 33)),
    });
  });

  it("cross at the voted level, limited to 28 to 37 % of the long axis", () => {
    const crossings = [20, 30, 50].map((y) => axesOfOutline(outline, { ...voted, ...level(y) })?.heart_right.y);
    expect(crossings).toEqual([28, (30 / 98) * 100, 37].map((y) => expect.closeTo(y, 9)));
    expect(axesOfOutline(outline, voted)?.heart_left.y).toBeCloseTo((32.5 / 98) * 100, 9);
  });

  it("do not depend on the first point of the outline", () => {
    const first = axesOfOutline(outline, voted);
    for (const start of outline.keys())
      expect(axesOfOutline([...outline.slice(start), ...outline.slice(0, start)], voted)).toEqual(first);
  });

  it("rotate, mirror, move and swap their ends with the film", () => {
    const found = axesOfOutline(outline, voted)!;
    for (const [angle, side] of [
      [0.5, 1],
      [2, -1],
      [4, 1],
    ] as const) {
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const move = ({ x, y }: Point) => at(side * (x * cos - y * sin) + 700, x * sin + y * cos - 3000);
      const { heart_bottom, heart_right, heart_left } = axesOfOutline(outline.map(move), movedHeart(voted, move))!;
      const expected = movedHeart(found, move);
      expect(heart_bottom).toEqual(close(expected.heart_bottom));
      expect([heart_right, heart_left]).toEqual([close(expected.heart_right), close(expected.heart_left)]);
    }
    const swapped = axesOfOutline(outline, { ...voted, heart_right: voted.heart_left, heart_left: voted.heart_right });
    expect(swapped).toMatchObject({ heart_right: close(found.heart_left), heart_left: close(found.heart_right) });
  });

  it("end at the border point nearest to the voted apex if the apex is blunt", () => {
    const blunt = [at(-20, 0), at(20, 0), at(40, 33), at(6, 100), at(-6, 99.5), at(-40, 33)];
    const apexes = [-6, 6].map((x) => axesOfOutline(blunt, { ...voted, heart_bottom: at(x, 98) })?.heart_bottom);
    expect(apexes).toEqual([at(-6, 99.5), at(6, 100)]);
  });

  it.each<[string, Partial<HeartLandmarks>, Partial<HeartLandmarks>]>([
    ["a long axis under 80 % of the voted", { heart_bottom: at(0, 125) }, { heart_bottom: at(0, 125.1) }],
    ["a long axis over 130 % of the voted", { heart_bottom: at(0, 77) }, { heart_bottom: at(0, 76.9) }],
    ["a long axis turned by over 20°", { heart_bottom: turned(98, 19.9) }, { heart_bottom: turned(98, 20.1) }],
    ["an apex opposite the voted", {}, { heart_bottom: at(0, -98) }],
    ["a short axis under 75 % of the voted", width(104), width(107)],
    ["a short axis over 140 % of the voted", width(58), width(56)],
    [
      "voted axes under 45° apart",
      { heart_right: turned(35, -134), heart_left: turned(35, 46) },
      { heart_right: turned(35, -136), heart_left: turned(35, 44) },
    ],
  ])("are null for %s", (_, believed, refused) => {
    expect([isBelieved(believed), isBelieved(refused)]).toEqual([true, false]);
  });

  it("are null if the outline is on one side of the long axis only", () => {
    const half = [at(5, 0), at(20, 0), at(40, 33), at(0, 100), at(5, 33)];
    expect(axesOfOutline(half, { ...voted, ...width(40) })).toBeNull();
  });
});
