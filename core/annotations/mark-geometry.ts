import type { Point } from "../cardiac/points.ts";

/** Arrowhead as a polyline with the tip in the middle; null for a line too short to have a direction. */
export function arrowHead(line: readonly Point[], lengthPx: number): readonly Point[] | null {
  const [tip, before] = [line.at(-1), line.at(-2)];
  if (!tip || !before || Math.hypot(tip.x - before.x, tip.y - before.y) < 1) return null;
  const back = Math.atan2(before.y - tip.y, before.x - tip.x);
  const side = (turn: number) => ({
    x: tip.x + lengthPx * Math.cos(back + turn),
    y: tip.y + lengthPx * Math.sin(back + turn),
  });
  return [side(0.45), tip, side(-0.45)];
}

type Size = { readonly widthPx: number; readonly heightPx: number };

/** Top left corner of a label beside `at`, on the side away from the middle of its line, inside the canvas. */
export function labelCorner(at: Point, from: Point | null, gapPx: number, label: Size, canvas: Size): Point {
  const angle = from && Math.atan2(at.y - from.y, at.x - from.x);
  const [right, down] = angle === null ? [0, 0] : [Math.cos(angle), Math.sin(angle)];
  const inside = (value: number, mostPx: number) => Math.max(2, Math.min(mostPx - 2, value));
  return {
    x: inside(at.x + right * (gapPx + label.widthPx / 2) - label.widthPx / 2, canvas.widthPx - label.widthPx),
    y: inside(at.y + down * (gapPx + label.heightPx / 2) - label.heightPx / 2, canvas.heightPx - label.heightPx),
  };
}
