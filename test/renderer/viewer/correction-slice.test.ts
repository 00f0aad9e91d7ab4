import { beforeEach, expect, test } from "vitest";
import { emptyDraft } from "../../../renderer/film/draft.ts";
import { useCorrection } from "../../../renderer/viewer/correction/correction-slice.ts";

const correction = () => useCorrection.getState();

beforeEach(() => {
  correction().leave();
  correction().byHand({ widthPx: 1000, heightPx: 800 });
  correction().place({ x: 200, y: 300 });
});

test("reverting leads to the points as they were, however many steps lie between", () => {
  for (let step = 0; step < 250; step += 1) correction().nudge("heart_top", { x: 1, y: 0 });
  correction().reset();
  expect(correction().stack.present).toEqual(emptyDraft);
});

test("points that were moved wait for the same picture and person, and are nobody else's", () => {
  correction().turnTo("Dr Weber, Bella");
  correction().byHand({ widthPx: 1000, heightPx: 800 });
  correction().place({ x: 200, y: 300 });
  correction().turnTo("Dr Weber, Bella");
  expect(correction().mode).toBe("by_hand");
  correction().turnTo("Dr Sommer, Bella");
  expect(correction().mode).toBe("none");
});
