import { inOtherSize, type PictureSize, type Point } from "../../core/cardiac/points.ts";

/**
 * A film's own corners in a photograph of it: top left, top right, bottom right, bottom left of the upright film [px of
 * the photograph].
 */
export type Corners = readonly [Point, Point, Point, Point];

/** A film's corners in a larger or smaller copy of its photograph. */
export function cornersInOtherSize([tl, tr, br, bl]: Corners, from: PictureSize, to: PictureSize): Corners {
  return [inOtherSize(tl, from, to), inOtherSize(tr, from, to), inOtherSize(br, from, to), inOtherSize(bl, from, to)];
}
