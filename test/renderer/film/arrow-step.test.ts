import { expect, test } from "vitest";
import { arrowStep } from "../../../renderer/film/arrow-step.ts";
import { filmToStage, type View } from "../../../renderer/film/view.ts";

const size = { widthPx: 400, heightPx: 300 };
const stepOf = (view: Partial<View>, key: string, shiftKey = false) => {
  const step = arrowStep(
    { key, shiftKey },
    filmToStage({ zoom: 0.37, panXPx: 11, panYPx: 7, quarterTurns: 0, isFlipped: false, ...view }, size, size),
  );
  return step && { x: Math.round(step.x * 1e6) / 1e6 + 0, y: Math.round(step.y * 1e6) / 1e6 + 0 };
};

test("moves by 1 px of the film in the screen direction, by 10 px with Shift", () => {
  expect(stepOf({}, "ArrowRight")).toEqual({ x: 1, y: 0 });
  expect(stepOf({}, "ArrowDown", true)).toEqual({ x: 0, y: 10 });
  expect(stepOf({ isFlipped: true }, "ArrowRight")).toEqual({ x: -1, y: 0 });
  expect(stepOf({ quarterTurns: 1 }, "ArrowRight")).toEqual({ x: 0, y: -1 });
  expect(stepOf({ quarterTurns: 3, isFlipped: true }, "ArrowUp", true)).toEqual({ x: -10, y: 0 });
});

test("returns null for other keys", () => {
  expect(["Enter", "a", "Tab"].map((key) => stepOf({}, key))).toEqual([null, null, null]);
});
