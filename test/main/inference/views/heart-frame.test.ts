import { expect, it } from "vitest";
import type { AxisEnds } from "../../../../core/cardiac/landmarks.ts";
import { distancePx, type Point } from "../../../../core/cardiac/points.ts";
import { heartFrame } from "../../../../main/inference/views/heart-frame.ts";
import { toNetwork } from "../../../../main/inference/views/landmark-frames.ts";

const side = 256;
const share = 0.5;
const upright: AxisEnds = {
  heart_top: { x: 300, y: 200 },
  heart_bottom: { x: 260, y: 320 },
  heart_right: { x: 225, y: 238 },
  heart_left: { x: 330, y: 273 },
};

const moved = (move: (point: Point) => Point) =>
  Object.fromEntries(Object.entries(upright).map(([name, point]) => [name, move(point)])) as AxisEnds;
const turned = (degrees: number, size: number, isMirrored: boolean) => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return moved(({ x, y }) => {
    const across = isMirrored ? -x : x;
    return { x: size * (cos * across - sin * y) + 40, y: size * (sin * across + cos * y) - 70 };
  });
};

it.each([
  [0, 1, false],
  [70, 0.2, false],
  [180, 5, true],
  [290, 1, true],
])(
  "shows every heart with the carina above, cranial on the left and equal size: rotated by %i",
  (degrees, size, isMirrored) => {
    const heart = turned(degrees, size, isMirrored);
    const frame = heartFrame(heart, side, share)!;
    const seen = (name: keyof AxisEnds) => toNetwork(frame, heart[name]);
    const [top, bottom, cranial, caudal] = [
      seen("heart_top"),
      seen("heart_bottom"),
      seen("heart_right"),
      seen("heart_left"),
    ];
    expect(bottom.x).toBeCloseTo(top.x, 6);
    expect(bottom.y).toBeGreaterThan(top.y);
    expect(caudal.x).toBeGreaterThan(cranial.x);
    expect((distancePx(top, bottom) + distancePx(cranial, caudal)) / 2).toBeCloseTo(share * side, 6);
    expect((top.x + bottom.x + cranial.x + caudal.x) / 4).toBeCloseTo(side / 2 - 0.5, 6);
    expect((top.y + bottom.y + cranial.y + caudal.y) / 4).toBeCloseTo(side / 2 - 0.5, 6);
  },
);

it("returns the frame of the training code", () => {
  // models/training/heart/frame.py, heart_frame() of the same heart.
  const { matrix, offset } = heartFrame(upright, side, share)!;
  expect([...matrix, ...offset].map((value) => Math.round(value * 1e4) / 1e4)).toEqual([
    1.024, 0.3413, -0.3413, 1.024, -245.9187, -41.2893,
  ]);
});

it("returns null if the long axis has no length", () => {
  expect(heartFrame({ ...upright, heart_bottom: upright.heart_top }, side, share)).toBeNull();
});
