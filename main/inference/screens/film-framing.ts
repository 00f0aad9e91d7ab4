import type { Corners, PictureSize, Point } from "../../../core/cardiac/points.ts";
import { focalPxOf, spaceEdgesOf, trueAspect, usualFocalShare } from "../../imaging/homography.ts";

/**
 * Quality of a film's border in a photograph: `sound`; `doubtful` if it contradicts itself, so that crop and
 * proportions may be wrong; `none` if it is the picture's edge.
 */
export type FilmFraming = "sound" | "doubtful" | "none";

/** Distance from the picture's edge within which a side is not visible, as a fraction of the longest side. */
const edgeShare = 0.012;
/** Number of sides along the picture's edge from which the film's shape is unknown. */
const minSidesUnseen = 3;
/** Width / height of lateral thoracic films, with a margin: known films have 0.9 to 1.8. */
const usualAspect = { least: 0.8, most: 2 } as const;
/**
 * Maximum deviation of the film's edges from perpendicular in space, and maximum tilt of the film against the camera.
 * The photographs of the tests stay below 2.5 and 23; moving one corner by a fifth of a side gives 3.9 to 8, or 30 to
 * 38.
 */
const maxSkewDeg = 3.5;
const maxTiltDeg = 28;

export function framingOf(corners: Corners, photo: PictureSize): FilmFraming {
  const unseen = corners.filter((start, index) => isOnEdge(start, corners[(index + 1) % 4] ?? start, photo)).length;
  if (unseen >= minSidesUnseen) return "none";
  const { skewDeg } = shapeOf(corners, photo, focalPxOf(corners, photo));
  const { tiltDeg } = shapeOf(corners, photo, usualFocalShare * Math.max(photo.widthPx, photo.heightPx));
  const aspect = trueAspect(corners, photo);
  const isSound =
    unseen === 0 &&
    Math.abs(skewDeg) <= maxSkewDeg &&
    tiltDeg <= maxTiltDeg &&
    aspect >= usualAspect.least &&
    aspect <= usualAspect.most;
  return isSound ? "sound" : "doubtful";
}

/** Whether both ends of a side are on or beyond the same edge of the picture. */
function isOnEdge(start: Point, end: Point, { widthPx, heightPx }: PictureSize): boolean {
  const reachPx = edgeShare * Math.max(widthPx, heightPx);
  const gaps = (point: Point) => [point.x, point.y, widthPx - 1 - point.x, heightPx - 1 - point.y];
  const atEnd = gaps(end);
  return gaps(start).some((gap, edge) => gap <= reachPx && (atEnd[edge] ?? Infinity) <= reachPx);
}

function shapeOf(corners: Corners, photo: PictureSize, focalPx: number) {
  const { across, down } = spaceEdgesOf(corners, photo, focalPx);
  const dot = across[0] * down[0] + across[1] * down[1] + across[2] * down[2];
  const normal = [
    across[1] * down[2] - across[2] * down[1],
    across[2] * down[0] - across[0] * down[2],
    across[0] * down[1] - across[1] * down[0],
  ] as const;
  const degrees = (radians: number) => (radians * 180) / Math.PI;
  return {
    skewDeg: degrees(Math.atan2(dot, Math.hypot(...normal))),
    tiltDeg: degrees(Math.atan2(Math.hypot(normal[0], normal[1]), Math.abs(normal[2]))),
  };
}
