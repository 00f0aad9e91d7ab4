import { dayMs } from "../../../core/durations.ts";
import { useFormat } from "../language/format.ts";
import type { Axis } from "./chart-scale.ts";

const dayLabelMs = 120 * dayMs;

/** Formats dates on a time axis: days on a short axis, abbreviated months on a long one. */
export function useDateText(): (axis: Axis) => (atMs: number) => string {
  const format = useFormat();
  return (axis) => (atMs) => {
    const iso = new Date(atMs).toISOString();
    return axis.to - axis.from < dayLabelMs ? format.day(iso) : format.shortMonth(iso);
  };
}
