import fc from "fast-check";
import { expect, test } from "vitest";
import { pushed, redone, replaced, startStack, undone } from "../../../../renderer/state/drawing/undo-stack.ts";

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

test("records a whole drag as one step", () => {
  const stack = replaced(replaced(pushed(startStack(1), 1), 2), 3);
  expect(undone(stack)).toEqual({ past: [], present: 1, future: [3] });
});

test("returns to the start after any number of steps", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 150 }), (values) => {
      let stack = startStack(-1);
      for (const value of values) stack = pushed(stack, value);
      for (let steps = values.length; steps > 0; steps--) stack = undone(stack);
      expect(stack.present).toBe(-1);
      expect(stack.future).toEqual(values);
    }),
  );
});
