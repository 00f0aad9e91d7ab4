import type { ScreenPoint } from "./view.ts";

export type Pinch = {
  readonly byXPx: number;
  readonly byYPx: number;
  readonly factor: number;
  readonly middle: ScreenPoint;
};

/** Records the move of one of two fingers and returns the gesture; null without two fingers. */
export function pinched(fingers: Map<number, ScreenPoint>, moved: number, at: ScreenPoint): Pinch | null {
  const from = fingers.get(moved);
  const [other] = [...fingers].filter(([id]) => id !== moved).map(([, place]) => place);
  if (!from || !other) return null;
  fingers.set(moved, at);
  const factor = Math.hypot(at.x - other.x, at.y - other.y) / Math.hypot(from.x - other.x, from.y - other.y);
  return {
    byXPx: (at.x - from.x) / 2,
    byYPx: (at.y - from.y) / 2,
    factor: Number.isFinite(factor) && factor > 0 ? factor : 1,
    middle: { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 },
  };
}
