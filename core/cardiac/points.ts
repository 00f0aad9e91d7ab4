/** A position in an image [px]: origin at the centre of the top left pixel, x to the right, y down. */
export type Point = { readonly x: number; readonly y: number };

export function distancePx(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

/** Distances between neighbouring points, one fewer than points [px]. */
export function segmentLengthsPx(points: readonly Point[]): number[] {
  return points.slice(1).map((point, index) => distancePx(points[index] as Point, point));
}

/** Point on the line through a and b: a at `fraction` 0, b at 1, beyond them outside 0–1. */
export function interpolate(a: Point, b: Point, fraction: number): Point {
  return { x: a.x + (b.x - a.x) * fraction, y: a.y + (b.y - a.y) * fraction };
}

/** Mean of the points, n >= 1. */
export function meanPoint(points: readonly Point[]): Point {
  const sum = points.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** Angle between two undirected lines [deg], 0–90. atan2 of the cross and dot products stays exact near 0 and 90. */
export function axesAngleDeg(fromA: Point, toA: Point, fromB: Point, toB: Point): number {
  const ax = toA.x - fromA.x;
  const ay = toA.y - fromA.y;
  const bx = toB.x - fromB.x;
  const by = toB.y - fromB.y;
  return (Math.atan2(Math.abs(ax * by - ay * bx), Math.abs(ax * bx + ay * by)) * 180) / Math.PI;
}

export function distanceToSegmentPx(point: Point, a: Point, b: Point): number {
  return distancePx(point, interpolate(a, b, shareNearest(a, b, point)));
}

/** Position of the point of the segment a–b that is nearest to `point`, as a fraction 0–1 of the segment. */
export function shareNearest(a: Point, b: Point, point: Point): number {
  const lengthSquared = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  if (lengthSquared === 0) return 0;
  const along = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / lengthSquared;
  return Math.min(1, Math.max(0, along));
}

export type PictureSize = { readonly widthPx: number; readonly heightPx: number };

/** Converts a point to a larger or smaller copy of the picture. Pixel centres have integer coordinates in both. */
export function inOtherSize(point: Point, from: PictureSize, to: PictureSize): Point {
  return {
    x: ((point.x + 0.5) * to.widthPx) / from.widthPx - 0.5,
    y: ((point.y + 0.5) * to.heightPx) / from.heightPx - 0.5,
  };
}

/**
 * Corners of a film in a photograph of it: top left, top right, bottom right, bottom left of the upright film [px of
 * the photograph].
 */
export type Corners = readonly [Point, Point, Point, Point];

export function cornersInOtherSize([tl, tr, br, bl]: Corners, from: PictureSize, to: PictureSize): Corners {
  return [inOtherSize(tl, from, to), inOtherSize(tr, from, to), inOtherSize(br, from, to), inOtherSize(bl, from, to)];
}
