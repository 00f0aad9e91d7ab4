import { middleOfAxes, type AxisEnds } from "../landmarks.ts";
import { distancePx, distanceToSegmentPx, type PictureSize, type Point } from "../points.ts";

/** A box [px]; x and y are its top left corner. */
export type Box = { readonly x: number; readonly y: number } & PictureSize;

/** An ellipse [px]; `angleRad` is the angle of its long half axis from x. */
export type Ellipse = {
  readonly centre: Point;
  readonly halfLongPx: number;
  readonly halfShortPx: number;
  readonly angleRad: number;
};

export type LabelWish = PictureSize & {
  readonly at: Point;
  /** Preferred direction, any length. */
  readonly away: Point;
  /** Whether only positions near the point, in the preferred direction or opposite to it, are tried. */
  readonly isAligned?: boolean;
};

export const labelledEnds = { long: "heart_bottom", short: "heart_left" } as const;

/** Tried distances of a label from its point, in label heights. */
const distances = [0.7, 1.3, 2.1, 3.3, 5, 7, 10, 13.5] as const;
const directions = 16;
/** Distances of an aligned label: beyond them, it would seem to belong to another point. */
const alignedDistances = distances.slice(0, 3);
/** Half the size of a point's mark, in label heights. */
const markOfPoint = 0.3;
const borderPx = 2;
/** Enlargement of the ellipse, because the silhouette extends beyond its axes. */
const silhouetteMargin = 1.08;

export function heartEllipse(ends: AxisEnds): Ellipse {
  const { heart_top, heart_bottom, heart_right, heart_left } = ends;
  return {
    centre: middleOfAxes([ends]),
    halfLongPx: Math.max(1, (distancePx(heart_top, heart_bottom) / 2) * silhouetteMargin),
    halfShortPx: Math.max(1, (distancePx(heart_right, heart_left) / 2) * silhouetteMargin),
    angleRad: Math.atan2(heart_bottom.y - heart_top.y, heart_bottom.x - heart_top.x),
  };
}

/**
 * Places labels so that none leaves the picture or covers the heart, a labelled point or another label. Earlier labels
 * take precedence; a label without a free position is omitted.
 */
export function placeLabels<Wish extends LabelWish>(
  wishes: readonly Wish[],
  heart: Ellipse | null,
  picture: PictureSize,
): (Wish & Box)[] {
  const placed: (Wish & Box)[] = [];
  for (const wish of wishes) {
    const isFree = (box: Box) =>
      isInside(box, picture) &&
      !(heart && touchesEllipse(box, heart)) &&
      !placed.some((other) => overlap(box, other)) &&
      !wishes.some(({ at }) => covers(box, at));
    const box = candidates(wish).find(isFree);
    if (box) placed.push({ ...wish, ...box });
  }
  return placed;
}

/** Turns from the preferred direction by increasing deviation, in steps of a full turn / `directions`. */
const turns = Array.from({ length: directions }, (_, index) => Math.ceil(index / 2) * (index % 2 === 1 ? 1 : -1));
const alignedTurns = [0, directions / 2];

/** Nearest first; at each distance by increasing deviation from the preferred direction. */
function candidates({ at, away, widthPx, heightPx, isAligned = false }: LabelWish): Box[] {
  const wished = Math.atan2(away.y, away.x);
  return (isAligned ? alignedDistances : distances).flatMap((distance) =>
    (isAligned ? alignedTurns : turns).map((turn) => {
      const angle = wished + (turn * 2 * Math.PI) / directions;
      const x = at.x + Math.cos(angle) * (distance * heightPx + widthPx / 2) - widthPx / 2;
      const y = at.y + Math.sin(angle) * (distance * heightPx + heightPx / 2) - heightPx / 2;
      return { x, y, widthPx, heightPx };
    }),
  );
}

/** Whether a box and an ellipse intersect, computed in coordinates in which the ellipse is the unit circle. */
export function touchesEllipse(
  { x, y, widthPx, heightPx }: Box,
  { centre, halfLongPx, halfShortPx, angleRad }: Ellipse,
): boolean {
  if (centre.x >= x && centre.x <= x + widthPx && centre.y >= y && centre.y <= y + heightPx) return true;
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const corner = (right: number, down: number): Point => {
    const [dx, dy] = [x + right - centre.x, y + down - centre.y];
    return { x: (dx * cos + dy * sin) / halfLongPx, y: (dy * cos - dx * sin) / halfShortPx };
  };
  const corners = [corner(0, 0), corner(widthPx, 0), corner(widthPx, heightPx), corner(0, heightPx)];
  return corners.some(
    (from, index) => distanceToSegmentPx({ x: 0, y: 0 }, from, corners[(index + 1) % corners.length] as Point) <= 1,
  );
}

function covers({ x, y, widthPx, heightPx }: Box, point: Point): boolean {
  const mark = markOfPoint * heightPx;
  return point.x > x - mark && point.x < x + widthPx + mark && point.y > y - mark && point.y < y + heightPx + mark;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.widthPx && b.x < a.x + a.widthPx && a.y < b.y + b.heightPx && b.y < a.y + a.heightPx;
}

function isInside({ x, y, widthPx, heightPx }: Box, picture: PictureSize): boolean {
  return (
    x >= borderPx &&
    y >= borderPx &&
    x + widthPx <= picture.widthPx - borderPx &&
    y + heightPx <= picture.heightPx - borderPx
  );
}
