import type { Say } from "../../language/say.ts";
import type { AxisEnds, AxisName } from "../landmarks.ts";
import { interpolate, type PictureSize, type Point } from "../points.ts";
import { vertebraName } from "../ruler/vertebra-name.ts";

/** Whether a point is in a picture, including its outermost pixels. */
export function isInPicture({ x, y }: Point, { widthPx, heightPx }: PictureSize): boolean {
  return x >= -0.5 && y >= -0.5 && x <= widthPx - 0.5 && y <= heightPx - 0.5;
}

/** Clips a line to a picture, since a column may extend beyond its film; one line per visible part. */
export function partsInPicture(points: readonly Point[], picture: PictureSize): readonly (readonly Point[])[] {
  const parts: Point[][] = [];
  for (const [index, to] of points.slice(1).entries()) {
    const inside = segmentInPicture(points[index] as Point, to, picture);
    if (!inside) continue;
    const [from, until] = inside;
    const last = parts.at(-1);
    if (last?.at(-1) === from) last.push(until);
    else parts.push([from, until]);
  }
  return parts;
}

/**
 * Clips axes to a picture. An end outside moves along its axis, so that the axes stay perpendicular; an axis completely
 * outside is not changed.
 */
export function axesInPicture<Ends extends AxisEnds>(ends: Ends, picture: PictureSize): Ends {
  const inside = (from: AxisName, to: AxisName): Partial<AxisEnds> => {
    const [first, last] = segmentInPicture(ends[from], ends[to], picture) ?? [ends[from], ends[to]];
    return { [from]: first, [to]: last };
  };
  return { ...ends, ...inside("heart_top", "heart_bottom"), ...inside("heart_right", "heart_left") };
}

/** Clips the segment a–b to a picture; null if it is outside. @see Liang & Barsky 1984, ACM Trans Graph 3:1–22 */
function segmentInPicture(a: Point, b: Point, { widthPx, heightPx }: PictureSize): readonly [Point, Point] | null {
  const borders = [
    { towards: a.x - b.x, roomPx: a.x + 0.5 },
    { towards: b.x - a.x, roomPx: widthPx - 0.5 - a.x },
    { towards: a.y - b.y, roomPx: a.y + 0.5 },
    { towards: b.y - a.y, roomPx: heightPx - 0.5 - a.y },
  ];
  if (borders.some(({ towards, roomPx }) => towards === 0 && roomPx < 0)) return null;
  const enters = Math.max(
    0,
    ...borders.filter(({ towards }) => towards < 0).map(({ towards, roomPx }) => roomPx / towards),
  );
  const leaves = Math.min(
    1,
    ...borders.filter(({ towards }) => towards > 0).map(({ towards, roomPx }) => roomPx / towards),
  );
  if (enters >= leaves) return null;
  return [enters === 0 ? a : interpolate(a, b, enters), leaves === 1 ? b : interpolate(a, b, leaves)];
}

/** Text naming the edges of a ruler outside its film; null if there are none. */
export function edgesOutsideText(edges: readonly Point[], film: PictureSize, say: Say): string | null {
  const names = edges.flatMap((edge, index) => (isInPicture(edge, film) ? [] : [vertebraName(index)]));
  return names.length === 0 ? null : say("viewer.edgesOutside", { names: names.join(", ") });
}
