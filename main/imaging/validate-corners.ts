import { AppError } from "../../core/app-error.ts";
import { type Corners, distancePx, type PictureSize, type Point } from "../../core/cardiac/points.ts";
import { maximumPixels } from "./picture-shape.ts";
import { straightenedSizePx } from "./homography.ts";

/** Tolerated distance of a corner outside the picture (a film cut off at the border), of the longest side. */
const cornerOverhangShare = 0.1;
/** Minimum edge of a film that can be rectified [px]. */
const minEdgePx = 16;
/** Minimum sine of an angle of the film; below it three corners are nearly on a line. */
const minAngleSine = 0.05;

/** Maximum ratio of the film's pixels to the photograph's; corners with a larger one are not those of a film. */
const maxEnlargement = 3;
const maxJpegSidePx = 65_500;

const cornerLabels = ["TL", "TR", "BR", "BL"] as const;

/**
 * Checks that four corners can be those of a film in a picture of the given size. TL is the film's top left, anywhere
 * in the photograph: a film on its side, or one photographed with a rotated phone, starts at another corner of the
 * picture and is put upright. The corners must be clockwise and convex; the caller decides which one is first.
 *
 * @param corners  TL, TR, BR, BL [px of the full-size upright picture]; untrusted apart from the shape [x, y]
 * @throws AppError INVALID_CORNERS with the reason
 */
export function validateCorners(corners: readonly (readonly number[])[], picture: PictureSize): Corners {
  if (corners.length !== 4 || corners.some((corner) => corner.length !== 2))
    throw fault("expected 4 pairs [x, y] in the order TL,TR,BR,BL");
  const points = corners.map(([x, y]) => ({ x: x as number, y: y as number })) as unknown as Corners;
  const overhangPx = cornerOverhangShare * Math.max(picture.widthPx, picture.heightPx);
  for (const [index, { x, y }] of points.entries()) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw fault(`${cornerLabels[index]} is not a finite number`);
    const isNear =
      x >= -overhangPx && y >= -overhangPx && x <= picture.widthPx + overhangPx && y <= picture.heightPx + overhangPx;
    if (!isNear)
      throw fault(`${cornerLabels[index]} lies outside the image of ${picture.widthPx} x ${picture.heightPx} px`);
  }
  assertConvexClockwise(points);
  assertOfFilmSize(points, picture);
  return points;
}

export function areFilmCorners(corners: Corners, photo: PictureSize): boolean {
  try {
    validateCorners(
      corners.map(({ x, y }) => [x, y]),
      photo,
    );
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CORNERS") return false;
    throw error;
  }
}

function assertOfFilmSize(corners: Corners, picture: PictureSize): void {
  const { widthPx, heightPx } = straightenedSizePx(corners, picture);
  const isOfFilm =
    widthPx * heightPx <= Math.min(maximumPixels, maxEnlargement * picture.widthPx * picture.heightPx) &&
    Math.max(widthPx, heightPx) <= maxJpegSidePx;
  if (!isOfFilm)
    throw fault(
      `no film in this picture can have the ${Math.round(widthPx)} x ${Math.round(heightPx)} px between them`,
    );
}

function assertConvexClockwise(points: Corners): void {
  const turns = points.map((point, index) =>
    turnSine(points[(index + 3) % 4] as Point, point, points[(index + 1) % 4] as Point),
  );
  const shortest = Math.min(...points.map((point, index) => distancePx(point, points[(index + 1) % 4] as Point)));
  if (shortest < minEdgePx) throw fault(`an edge is shorter than ${minEdgePx} px`);
  if (turns.every((turn) => turn < -minAngleSine)) throw fault("wrong order, expected TL,TR,BR,BL (clockwise)");
  if (turns.some((turn) => turn < -minAngleSine)) throw fault("not convex, or not in the order TL,TR,BR,BL");
  if (turns.some((turn) => turn < minAngleSine)) throw fault("three corners lie on a line");
}

/** Sine of the turn at a corner; positive for a clockwise turn on the screen (y down). */
function turnSine(before: Point, at: Point, after: Point): number {
  const cross = (at.x - before.x) * (after.y - at.y) - (at.y - before.y) * (after.x - at.x);
  return cross / (distancePx(before, at) * distancePx(at, after) || 1);
}

function fault(what: string): AppError {
  return new AppError("INVALID_CORNERS", `Invalid field: corners (${what})`);
}
