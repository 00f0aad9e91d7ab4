import { dayMs, monthMs } from "../../../core/durations.ts";

export type Axis = { readonly from: number; readonly to: number; readonly ticks: readonly number[] };

const steps = [0.1, 0.2, 0.25, 0.5, 1, 2, 5] as const;

/** Axis of round numbers with a margin around the values. */
export function valueAxis(values: readonly number[], mostTicks = 6): Axis {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const air = Math.max(0.2, (high - low) * 0.12);
  const step =
    steps.find((each) => (high - low + 2 * air) / each <= mostTicks) ?? Math.ceil((high - low + 2 * air) / mostTicks);
  const from = Math.floor((low - air) / step) * step;
  const to = Math.ceil((high + air) / step) * step;
  const count = Math.round((to - from) / step);
  return {
    from,
    to,
    ticks: Array.from({ length: count + 1 }, (_, index) => Math.round((from + index * step) * 1000) / 1000),
  };
}

/** Two dates closer than this would have touching labels [ms]. */
const labelGapMs = 8 * dayMs;

/**
 * Time axis [ms] with a margin around the dates, at least a month wide, with ticks at the start of months or years;
 * dates within one month have ticks of their own.
 */
export function timeAxis(datesMs: readonly number[], mostTicks = 7): Axis {
  const low = Math.min(...datesMs);
  const high = Math.max(...datesMs);
  const air = Math.max(15 * dayMs, (high - low) * 0.06);
  const from = low - air;
  const to = high + air;
  if (high - low < 30 * dayMs) return { from, to, ticks: high - low < labelGapMs ? [low] : [low, high] };
  const months = (to - from) / monthMs;
  const stepMonths = [1, 2, 3, 6, 12, 24, 60].find((each) => months / each <= mostTicks) ?? 120;
  const start = new Date(from);
  const ticks: number[] = [];
  const first = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / stepMonths) * stepMonths;
  for (let month = first; ; month += stepMonths) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    if (at > to) break;
    if (at >= from) ticks.push(at);
  }
  return { from, to, ticks };
}

/** All ticks, or every second, third …, so that labels up to `labelPx` wide do not touch. */
export function spacedTicks(ticks: readonly number[], placesPx: readonly number[], labelPx: number): number[] {
  const touch = (step: number) =>
    placesPx.some((at, index) => index % step === 0 && (placesPx[index + step] ?? Infinity) - at < labelPx);
  let step = 1;
  while (step < ticks.length && touch(step)) step += 1;
  return ticks.filter((_, index) => index % step === 0);
}
