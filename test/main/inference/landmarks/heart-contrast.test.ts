import { expect, it } from "vitest";
import { heartContrast } from "../../../../main/inference/landmarks/heart-contrast.ts";

const side = 64;
const heart = {
  heart_top: { x: 32, y: 16 },
  heart_bottom: { x: 32, y: 48 },
  heart_right: { x: 20, y: 32 },
  heart_left: { x: 44, y: 32 },
  VLAS: { x: 44, y: 20 },
};

/** An ellipse over the axes of `heart`, on lung. */
const chest = (inside: number, lung: number) =>
  Float32Array.from({ length: side * side }, (_, at) =>
    Math.hypot(((at % side) - 32) / 12, (Math.floor(at / side) - 32) / 16) < 1 ? inside : lung,
  );

it("returns the brightness of the heart relative to the surrounding lung", () => {
  expect(heartContrast(chest(0.7, 0.3), side, heart)).toBeCloseTo(0.4, 6);
});

it("returns a value below 0 on a negative", () => {
  expect(heartContrast(chest(0.3, 0.7), side, heart)).toBeCloseTo(-0.4, 6);
});

it("ignores a bright column and a dark trachea near the heart", () => {
  const view = chest(0.7, 0.3);
  view.fill(1, 0, 12 * side);
  view.fill(0, 52 * side, 56 * side);
  expect(heartContrast(view, side, heart)).toBeCloseTo(0.4, 6);
});

it("returns 0 for a heart outside the view, and for axes on one line", () => {
  const moved = Object.fromEntries(
    Object.entries(heart).map(([name, { x, y }]) => [name, { x: x + 900, y }]),
  ) as typeof heart;
  const flat = { ...heart, heart_right: heart.heart_top, heart_left: heart.heart_bottom };
  expect([moved, flat].map((points) => heartContrast(chest(0.7, 0.3), side, points))).toEqual([0, 0]);
});
