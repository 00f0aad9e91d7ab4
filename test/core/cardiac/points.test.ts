import { expect, it } from "vitest";
import { inOtherSize } from "../../../core/cardiac/points.ts";

it("keeps the centre of a pixel in a copy of another size", () => {
  const [small, large] = [
    { widthPx: 10, heightPx: 8 },
    { widthPx: 20, heightPx: 24 },
  ];
  expect(inOtherSize({ x: 0, y: 0 }, small, large)).toEqual({ x: 0.5, y: 1 });
  expect(inOtherSize({ x: 9, y: 7 }, small, large)).toEqual({ x: 18.5, y: 22 });
  expect(inOtherSize({ x: 18.5, y: 22 }, large, small)).toEqual({ x: 9, y: 7 });
});
