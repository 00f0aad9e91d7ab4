import { dayMs } from "../../../core/durations.ts";

/** Interval of clock checks [ms]. */
const checkIntervalMs = 15 * 60 * 1000;

/**
 * Runs work after `firstMs`, then every 24 hours of wall-clock time. A 24-hour timer pauses while a laptop sleeps and
 * would fire days late.
 *
 * @param work  must not throw
 */
export function runDaily(
  now: () => Date,
  work: () => void,
  firstMs: number,
  everyMs = checkIntervalMs,
): { stop(): void } {
  const first = setTimeout(work, firstMs).unref();
  let lastMs = now().getTime();
  const timer = setInterval(() => {
    const agoMs = now().getTime() - lastMs;
    // A last run in the future means that the clock was set back, so run now.
    if (agoMs >= 0 && agoMs < dayMs) return;
    lastMs += agoMs;
    work();
  }, everyMs);
  timer.unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
