/** Shape of a mark, which identifies the kind of point in the legend and in greyscale. */
export type MarkShape = "circle" | "square" | "diamond";

export type ChartPoint = {
  readonly x: number;
  readonly y: number;
  readonly shape: MarkShape;
  readonly interval?: { readonly low: number; readonly high: number } | null;
  /** Whether the mark is filled, as for values outside a range. */
  readonly isFilled?: boolean;
  readonly name: string;
  readonly onOpen?: (() => void) | undefined;
};

export function markPath(shape: MarkShape, x: number, y: number): string {
  if (shape === "square") return `M${x - 4},${y - 4}h8v8h-8z`;
  if (shape === "diamond") return `M${x},${y - 5.5}l5.5,5.5l-5.5,5.5l-5.5,-5.5z`;
  return `M${x - 4.5},${y}a4.5,4.5 0 1 0 9,0a4.5,4.5 0 1 0 -9,0z`;
}

/** Point that an arrow key moves to; null for other keys. Points are ordered by x. */
export function stepTo(key: string, index: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(index + 1, count - 1);
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(index - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** Index of the point nearest to a position [px] within reach; null if there is none. */
export function nearestPoint(
  places: readonly { readonly x: number; readonly y: number }[],
  at: { readonly x: number; readonly y: number },
  reachPx: number,
): number | null {
  let nearest: number | null = null;
  let nearestPx = reachPx;
  for (const [index, place] of places.entries()) {
    const distancePx = Math.hypot(place.x - at.x, place.y - at.y);
    if (distancePx <= nearestPx) [nearest, nearestPx] = [index, distancePx];
  }
  return nearest;
}
