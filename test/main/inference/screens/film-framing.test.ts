import { describe, expect, it } from "vitest";
import type { Corners } from "../../../../core/cardiac/points.ts";
import { framingOf } from "../../../../main/inference/screens/film-framing.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";
import { photographs, sessionPhotographs } from "../../../fixtures/truth.ts";

const photo = { widthPx: 1600, heightPx: 1200 };

/** Corners of a film of 1.0 x 0.8 in a phone's photograph, rotated about two axes [rad]. */
function seen(aboutX: number, aboutY: number, width = 1, height = 0.8): Corners {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x = 0, y = 0]) => {
    const [u, v] = [(x * width) / 2, (y * height) / 2];
    const depth = 1.5 + u * Math.sin(aboutY) + v * Math.sin(aboutX);
    const at = (length: number, sidePx: number) => (sidePx - 1) / 2 + (1200 * length) / depth;
    return { x: at(u * Math.cos(aboutY), 1600), y: at(v * Math.cos(aboutX), 1200) };
  });
  return corners as unknown as Corners;
}

function moved(corners: Corners, index: number, x: number, y: number): Corners {
  const widthPx = corners[1].x - corners[0].x;
  const heightPx = corners[3].y - corners[0].y;
  return corners.map((corner, at) =>
    at === index ? { x: corner.x + x * widthPx, y: corner.y + y * heightPx } : corner,
  ) as unknown as Corners;
}

describe("the border of a film in a photograph", () => {
  it.each([
    [0, 0],
    [0.2, 0],
    [0, 0.25],
    [0.2, 0.2],
    [-0.25, 0.15],
  ])("is sound if rotated by %d and %d", (aboutX, aboutY) =>
    expect(framingOf(seen(aboutX, aboutY), photo)).toBe("sound"),
  );

  it("is sound in every photograph of the tests", () => {
    for (const { file, width, height, corners } of [...sessionPhotographs, ...photographs]) {
      const points = corners.map(([x, y]) => ({ x, y })) as unknown as Corners;
      expect([file, framingOf(points, { widthPx: width, heightPx: height })]).toEqual([file, "sound"]);
    }
  });

  it.each([
    [2, 0, -0.2],
    [2, -0.2, 0],
    [0, 0.15, 0.15],
    [3, 0.15, -0.15],
  ])("is doubtful with corner %d moved by %d and %d of its sides", (corner, x, y) =>
    expect(framingOf(moved(seen(0, 0.25), corner, x, y), photo)).toBe("doubtful"),
  );

  it.each([
    [2.2, 0.8],
    [0.6, 0.9],
  ])("is doubtful with impossible proportions: %d to %d", (width, height) =>
    expect(framingOf(seen(0, 0, width / 2, height / 2), photo)).toBe("doubtful"),
  );

  it("is doubtful with a side along the picture's edge, and none with three", () => {
    const [left, top, right, bottom] = [300, 200, 1300, 1000];
    const box = (x1: number, y1: number, x2: number, y2: number): Corners =>
      pointsAt([x1, y1], [x2, y1], [x2, y2], [x1, y2]);
    expect([
      framingOf(box(left, top, right, bottom), photo),
      framingOf(box(left, top, 1590, bottom), photo),
      framingOf(box(left, top, 1620, bottom), photo),
      framingOf(box(5, 3, 1590, bottom), photo),
      framingOf(box(5, 3, 1590, 1197), photo),
    ]).toEqual(["sound", "doubtful", "doubtful", "none", "none"]);
  });
});
