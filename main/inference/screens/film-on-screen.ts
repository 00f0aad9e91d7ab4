import type { Corners, PictureSize, Point } from "../../../core/cardiac/points.ts";
import type { GreyPixels } from "../../imaging/decode-image.ts";
import { spreadLevels } from "../../imaging/level-range.ts";

/** Largest deviation of an upright side, as a fraction of the picture's longest side. */
const maxGapShare = 0.005;
/** Minimum number of upright sides: a black side next to a black background may be detected at an angle. */
const minUprightSides = 3;

/** An upright film in a screenshot; the levels of a pale one are spread. */
export type FilmOnScreen = {
  /** The film alone, and the position of its first pixel in the picture [px]. */
  readonly film: GreyPixels & { readonly begins: Point };
  /** The whole picture, black around the film. */
  readonly alone: GreyPixels;
};

/**
 * Extracts an upright, rectangular film from a screenshot; null if it is not upright. In a photograph from a handheld
 * camera it would be distorted.
 *
 * @see docs/decisions/0020-two-looks-at-the-thorax-two-at-the-heart-one.md
 */
export function filmOnScreen(picture: GreyPixels, corners: Corners): FilmOnScreen | null {
  if (!isUpright(corners, picture)) return null;
  const [xs, ys] = [corners.map(({ x }) => Math.round(x)), corners.map(({ y }) => Math.round(y))];
  const [left, top] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
  const right = Math.min(picture.widthPx, Math.max(...xs) + 1);
  const bottom = Math.min(picture.heightPx, Math.max(...ys) + 1);
  const [widthPx, heightPx] = [right - left, bottom - top];
  const startOf = (y: number) => (top + y) * picture.widthPx + left;
  const cut = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) cut.set(picture.grey.subarray(startOf(y), startOf(y) + widthPx), y * widthPx);
  const grey = spreadLevels(cut) ?? cut;
  const alone = new Uint8Array(picture.grey.length);
  for (let y = 0; y < heightPx; y++) alone.set(grey.subarray(y * widthPx, (y + 1) * widthPx), startOf(y));
  return { film: { grey, widthPx, heightPx, begins: { x: left, y: top } }, alone: { ...picture, grey: alone } };
}

function isUpright([topLeft, topRight, bottomRight, bottomLeft]: Corners, picture: PictureSize): boolean {
  const gaps = [
    topLeft.y - topRight.y,
    bottomLeft.y - bottomRight.y,
    topLeft.x - bottomLeft.x,
    topRight.x - bottomRight.x,
  ];
  const reachPx = maxGapShare * Math.max(picture.widthPx, picture.heightPx);
  return gaps.filter((gap) => Math.abs(gap) <= reachPx).length >= minUprightSides;
}
