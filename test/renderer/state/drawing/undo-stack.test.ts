import { expect, test } from "vitest";
import { pushed, redone, startStack, undone } from "../../../../renderer/state/drawing/undo-stack.ts";

test("restores the same values by undo and redo", () => {
  const stack = pushed(pushed(startStack("a"), "b"), "c");
  expect(undone(stack).present).toBe("b");
  expect(undone(undone(undone(stack))).present).toBe("a");
  expect(redone(undone(stack))).toEqual(stack);
  expect(redone(stack)).toBe(stack);
});

test("clears the redo history with a new step", () => {
  const stack = pushed(undone(pushed(startStack("a"), "b")), "c");
  expect(stack).toEqual({ past: ["a"], present: "c", future: [] });
});
