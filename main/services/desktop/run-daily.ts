import { dayMs } from "../../../core/durations.ts";

/** Interval of clock checks [ms]. */
const checkIntervalMs = 15 * 60 * 1000;

/**
 * Runs work every 24 hours of wall-clock time, first after one day. A 24-hour timer pauses while a laptop sleeps and
 * would fire days late.
 *
 * @param work  must not throw
 */
export function runDaily(now: () => Date, work: () => void, everyMs = checkIntervalMs): { stop(): void } {
  let lastMs = now().getTime();
  const timer = setInterval(() => {
    const agoMs = now().getTime() - lastMs;
    // A last run in the future means that the clock was set back, so run now.
    if (agoMs >= 0 && agoMs < dayMs) return;
    lastMs += agoMs;
    work();
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
