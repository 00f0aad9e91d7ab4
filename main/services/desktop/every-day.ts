import { dayMs } from "../../../core/durations.ts";

/** How often the clock is looked at [ms]. */
const lookEveryMs = 15 * 60 * 1000;

/**
 * Does something once a day by the clock on the wall, for the first time in a day: a timer of a day stands still while a
 * laptop sleeps, and one that sleeps every night comes to its end days later.
 *
 * @param work  must not throw
 */
export function everyDay(now: () => Date, work: () => void, everyMs = lookEveryMs): { stop(): void } {
  let lastMs = now().getTime();
  const timer = setInterval(() => {
    const agoMs = now().getTime() - lastMs;
    // From the future, it was done under a clock that has been put right: no reason to wait.
    if (agoMs >= 0 && agoMs < dayMs) return;
    lastMs += agoMs;
    work();
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
