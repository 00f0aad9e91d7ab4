// Runs once: has no store.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dayMs } from "../../../../core/durations.ts";
import { runDaily } from "../../../../main/services/desktop/run-daily.ts";

const everyMs = 1000;
let atMs = Date.UTC(2026, 10, 10, 9);
let times = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  times = 0;
});
afterEach(() => vi.useRealTimers());

/** Simulates a laptop that wakes up, whose clock has advanced and whose timers have not. @returns number of runs */
function looksAfter(ms: number): number {
  atMs += ms;
  vi.advanceTimersByTime(everyMs);
  return times;
}

it("runs after a day of clock time, also after suspended timers", () => {
  const daily = runDaily(
    () => new Date(atMs),
    () => (times += 1),
    dayMs,
    everyMs,
  );
  const seen = [0, dayMs - 1, 1, dayMs / 2, dayMs / 2, 30 * dayMs, 0].map(looksAfter);
  expect(seen).toEqual([0, 0, 1, 1, 2, 3, 3]);
  daily.stop();
  expect(looksAfter(dayMs)).toBe(3);
});

it("runs at once after the clock was set back", () => {
  const daily = runDaily(
    () => new Date(atMs),
    () => (times += 1),
    dayMs,
    everyMs,
  );
  expect([-365 * dayMs, dayMs - 1, 1].map(looksAfter)).toEqual([1, 1, 2]);
  daily.stop();
});
