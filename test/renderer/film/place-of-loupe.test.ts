import { expect, test } from "vitest";
import { placeOfLoupe } from "../../../renderer/film/magnifier/place-of-loupe.ts";

const stage = { widthPx: 1000, heightPx: 800 };
const heart = { x: 500, y: 400 };

test("places the loupe above a point to the right, or else at the edge of the stage", () => {
  expect(placeOfLoupe({ x: 500, y: 400 }, stage, null)).toEqual({ left: 528, top: 204 });
  expect(placeOfLoupe({ x: 990, y: 10 }, stage, null)).toEqual({ left: 794, top: 38 });
});

test.each([
  [350, 500, { left: 154, top: 528 }],
  [650, 500, { left: 678, top: 528 }],
  [350, 250, { left: 154, top: 54 }],
  [650, 250, { left: 678, top: 54 }],
])("places the loupe on the side of a point at (%d, %d) away from the heart", (x, y, place) => {
  expect(placeOfLoupe({ x, y }, stage, heart)).toEqual(place);
});

test("keeps the loupe inside the stage if the side away from the heart has no room", () => {
  expect(placeOfLoupe({ x: 100, y: 790 }, stage, heart)).toEqual({ left: 128, top: 594 });
});
