import { expect, test } from "vitest";
import type { Point } from "../../../core/cardiac/points.ts";
import { isOnRectified, isSamePicture, pictureByHand } from "../../../core/cardiac/picture-of-points.ts";
import { pointsAt } from "../../fixtures/points-at.ts";

const photograph = { widthPx: 1080, heightPx: 810 };
const cut = { widthPx: 800, heightPx: 1000 };
const corners = pointsAt([100, 80], [900, 90], [890, 700], [110, 690]);
const seen = { source: "model" as const, frame: cut, popDetected: true, corners };
const placed = { source: "person" as const, frame: photograph, popDetected: false, corners: null };

test("uses the rectified film of a photograph for manual points, otherwise the file", () => {
  expect(pictureByHand({ hasRectified: true, frame: photograph }, [seen, placed])).toEqual({
    frame: cut,
    popDetected: true,
    corners,
  });
  const itself = { frame: photograph, popDetected: false, corners: null };
  expect(pictureByHand({ hasRectified: true, frame: photograph }, [placed])).toEqual(itself);
  // The file of a capture session is the film itself, although its photographs had corners.
  expect(pictureByHand({ hasRectified: false, frame: photograph }, [seen])).toEqual(itself);
});

test("places a reading on the rectified film if one exists", () => {
  const films = [{ hasRectified: true }, { hasRectified: false }];
  expect(films.map((film) => [isOnRectified(seen, film), isOnRectified(placed, film)])).toEqual([
    [true, false],
    [false, false],
  ]);
});

test("distinguishes pictures by size, by corners and from the file itself", () => {
  const [first, ...rest] = corners as [Point, Point, Point, Point];
  const picture = { frame: cut, corners: [first, ...rest] } as const;
  const others = [
    { frame: photograph, corners: picture.corners },
    { frame: cut, corners: [{ ...first, x: first.x + 0.5 }, ...rest] as const },
    { frame: cut, corners: null },
  ];
  expect(isSamePicture(picture, structuredClone(picture))).toBe(true);
  expect(others.filter((other) => isSamePicture(picture, other))).toEqual([]);
});
