import { expect, it } from "vitest";
import { affineBetween, inverted, mapped, solved, type PlaneMap } from "../../../core/cardiac/plane-map.ts";
import { pointsAt } from "../../fixtures/points-at.ts";

const perspective: PlaneMap = [2, 3, 4, -5, 6, 7, 0.5, 0.25];
const places = pointsAt([0, 0], [2, 4], [-1, 3], [5, -2]);

it("divides both coordinates by the depth", () => {
  expect(places.slice(0, 2).map((place) => mapped(perspective, place))).toEqual(pointsAt([4, 7], [20 / 3, 7]));
});

it("inverts a map, and returns null for a singular one", () => {
  const back = inverted(perspective)!;
  for (const place of places) {
    const { x, y } = mapped(back, mapped(perspective, place));
    expect([x, y]).toEqual([expect.closeTo(place.x, 9), expect.closeTo(place.y, 9)]);
  }
  const scaled = (factor: number): PlaneMap => [factor, 0, 0, 0, 1, 0, 0, 0];
  expect([inverted([1, 2, 0, 2, 4, 0, 0, 0]), inverted(scaled(1e-9))]).toEqual([null, null]);
  expect(inverted(scaled(2e-9))).not.toBeNull();
});

it("fits an affine map by least squares, and returns null for collinear points", () => {
  const affine: PlaneMap = [2, 3, 4, -5, 6, 7, 0, 0];
  const found = affineBetween(
    [...places, { x: 9, y: 9 }],
    places.map((place) => mapped(affine, place)),
  );
  for (const [index, value] of affine.entries()) expect(found?.[index]).toBeCloseTo(value, 9);
  const square = [0, 1].flatMap((x) => [0, 1].map((y) => ({ x, y })));
  // One corner is 1 farther right and 2 farther down, which leaves a quarter of that as residual at each corner.
  const pulled = square.map(({ x, y }) => (x + y === 2 ? { x: 2, y: 3 } : { x, y }));
  const fitted = [1.5, 0.5, -0.25, 1, 2, -0.5, 0, 0];
  for (const [index, value] of fitted.entries()) expect(affineBetween(square, pulled)?.[index]).toBeCloseTo(value, 9);
  const line = [0, 1, 2].map((x) => ({ x, y: 2 * x }));
  expect(affineBetween(line, line)).toBeNull();
});

it("solves systems with a zero or small first pivot, and returns null for singular ones", () => {
  const matrix = Float64Array.of(0, 2, 1, 1e-14, -1, 3, 4, 1, -2);
  const answer = [3, -1, 2];
  const right = [0, 1, 2].map((row) => answer.reduce((sum, value, at) => sum + matrix[3 * row + at]! * value, 0));
  const found = solved(matrix, Float64Array.from(right))!;
  for (const [index, value] of answer.entries()) expect(found[index]).toBeCloseTo(value, 12);
  expect(solved(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 1))).toBeNull();
  expect(solved(Float64Array.of(1e-12), Float64Array.of(1))).toBeNull();
  expect(solved(Float64Array.of(-2e-12), Float64Array.of(-4e-12))).toEqual(Float64Array.of(2));
});
