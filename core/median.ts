import { AppError } from "./app-error.ts";

/** Median, n >= 1; the mean of the middle two values for an even count. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new AppError("INTERNAL", "median of no values");
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
