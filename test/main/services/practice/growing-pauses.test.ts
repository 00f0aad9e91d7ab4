// Runs once: uses no store.
import { expect, it } from "vitest";
import { createGrowingPauses } from "../../../../main/services/practice/growing-pauses.ts";

it("waits longer after each failure up to a maximum, and not at all after a reset", () => {
  let nowMs = 0;
  const pauses = createGrowingPauses(3000, 10_000, () => nowMs);
  const waited: number[] = [];
  for (let failure = 0; failure < 4; failure += 1) {
    pauses.noteFailure("film");
    const fromMs = nowMs;
    while (!pauses.isOver("film")) nowMs += 1000;
    waited.push(nowMs - fromMs);
  }
  expect(waited).toEqual([3000, 6000, 10_000, 10_000]);
  pauses.noteFailure("film");
  expect([pauses.isOver("film"), pauses.isOver("another")]).toEqual([false, true]);
  pauses.forget("film");
  expect(pauses.isOver("film")).toBe(true);
});
