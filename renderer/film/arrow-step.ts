import { inverted, mapped, type Matrix, type ScreenPoint } from "./view.ts";

const steps: Readonly<Record<string, ScreenPoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Step of an arrow key in film pixels: in the direction of the arrow on the screen at any rotation, 1 px long (10 px
 * with Shift) at any zoom. Returns null for other keys.
 */
export function arrowStep(press: Pick<KeyboardEvent, "key" | "shiftKey">, toStage: Matrix): ScreenPoint | null {
  const step = steps[press.key];
  if (!step) return null;
  const { x, y } = mapped(inverted({ ...toStage, e: 0, f: 0 }), step);
  const scale = (press.shiftKey ? 10 : 1) / Math.hypot(x, y);
  return { x: x * scale, y: y * scale };
}
