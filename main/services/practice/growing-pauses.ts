/** @param nowMs  time of a monotonic clock [ms] */
export function createGrowingPauses(firstMs: number, longestMs: number, nowMs = () => performance.now()) {
  const pauses = new Map<string, { readonly pauseMs: number; readonly untilMs: number }>();
  return {
    isOver: (key: string) => (pauses.get(key)?.untilMs ?? Number.NEGATIVE_INFINITY) <= nowMs(),
    noteFailure(key: string) {
      const pauseMs = Math.min(longestMs, (pauses.get(key)?.pauseMs ?? firstMs / 2) * 2);
      pauses.set(key, { pauseMs, untilMs: nowMs() + pauseMs });
    },
    forget: (key: string) => void pauses.delete(key),
  };
}
