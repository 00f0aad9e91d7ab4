import { distancePx, type Point } from "../../../core/cardiac/points.ts";

/** Handle of a point of the heart's outline, named by its index. */
export type OutlineHandle = `outline-${number}`;

/** Approximate number of points with a handle; the points between them follow. */
const handles = 15;

/** Chooses evenly spaced points of an outline as handles, except those close to an existing handle (`taken`). */
export function outlineHandles(
  outline: readonly Point[] | null | undefined,
  taken: readonly Point[],
): readonly OutlineHandle[] {
  const [first] = outline ?? [];
  if (!outline || !first) return [];
  const every = Math.max(1, Math.round(outline.length / handles));
  const marked = outline.flatMap((point, index) => (index % every === 0 ? [{ point, index }] : []));
  const apartPx = distancePx(first, outline[every % outline.length] ?? first) / 2;
  return marked
    .filter(({ point }) => taken.every((other) => distancePx(point, other) > apartPx))
    .map(({ index }) => `outline-${index}` as const);
}

export function outlineIndex(handle: string | number): number | null {
  const index = /^outline-(\d+)$/.exec(String(handle))?.[1];
  return index === undefined ? null : Number(index);
}

/** Neighbours follow with decreasing weight, so that the outline stays smooth. */
export function bentOutline(outline: readonly Point[], index: number, to: Point): readonly Point[] {
  const from = outline[index];
  if (!from) return outline;
  const reach = Math.max(1, (2 * outline.length) / handles);
  return outline.map((point, at) => {
    const apart = Math.abs(at - index);
    const steps = Math.min(apart, outline.length - apart);
    const share = steps >= reach ? 0 : (1 + Math.cos((Math.PI * steps) / reach)) / 2;
    return { x: point.x + share * (to.x - from.x), y: point.y + share * (to.y - from.y) };
  });
}
