export type GrowingPauses = {
  isOver(key: string): boolean;
  noteFailure(key: string): void;
  forget(key: string): void;
};

/** @param nowMs  time of a monotonic clock [ms] */
export function createGrowingPauses(
  firstMs: number,
  longestMs: number,
  nowMs = () => performance.now(),
): GrowingPauses {
  const pauses = new Map<string, { readonly pauseMs: number; readonly untilMs: number }>();
  return {
    isOver: (key) => (pauses.get(key)?.untilMs ?? Number.NEGATIVE_INFINITY) <= nowMs(),
    noteFailure(key) {
      const pauseMs = Math.min(longestMs, (pauses.get(key)?.pauseMs ?? firstMs / 2) * 2);
      pauses.set(key, { pauseMs, untilMs: nowMs() + pauseMs });
    },
    forget: (key) => void pauses.delete(key),
  };
}
