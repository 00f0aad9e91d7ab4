import type { Point } from "../../../core/cardiac/points.ts";
import type { Size } from "../view.ts";

/** Moves all points of an annotation (`index` null), which keeps its shape, or one of them, within the picture. */
export function movedPoints(points: readonly Point[], index: number | null, by: Point, frame: Size): readonly Point[] {
  const moved = index === null ? points : points.filter((_, at) => at === index);
  const step = {
    x: limited(
      by.x,
      moved.map(({ x }) => x),
      frame.widthPx,
    ),
    y: limited(
      by.y,
      moved.map(({ y }) => y),
      frame.heightPx,
    ),
  };
  return points.map((point, at) =>
    index === null || at === index ? { x: point.x + step.x, y: point.y + step.y } : point,
  );
}

export function insideFrame({ x, y }: Point, { widthPx, heightPx }: Size): Point {
  return { x: Math.min(widthPx - 0.5, Math.max(-0.5, x)), y: Math.min(heightPx - 0.5, Math.max(-0.5, y)) };
}

function limited(by: number, places: readonly number[], sidePx: number): number {
  return Math.max(-0.5 - Math.min(...places), Math.min(sidePx - 0.5 - Math.max(...places), by));
}
