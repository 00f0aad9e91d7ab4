import type { Corners, PictureSize } from "./points.ts";

/**
 * A picture that points lie on. `corners`: where it was cut out of a photograph [px of the processed photograph]; null
 * of what is the file itself.
 */
export type Picture = { readonly frame: PictureSize; readonly corners: Corners | null };

/** Whether two pictures are one, in one size: points on one are points on the other as they stand. */
export function isSamePicture(one: Picture, other: Picture): boolean {
  const isSameSize = one.frame.widthPx === other.frame.widthPx && one.frame.heightPx === other.frame.heightPx;
  return isSameSize && isSameCut(one.corners, other.corners);
}

/** Whether two pictures of a film are the same part of its file. */
export function isSameCut(one: Corners | null, other: Corners | null): boolean {
  if (one === null || other === null) return one === other;
  return one.every(({ x, y }, index) => x === other[index]?.x && y === other[index]?.y);
}

/** Sizes of one picture differ by rounding. */
const sameAspectWithin = 0.01;

/**
 * Whether drawings lie on a picture, in pixels of any size of it. Where nothing is kept of what they were drawn on (a
 * file, or a picture in earlier versions of the program) only its shape tells.
 */
export function isDrawnOn(
  { frame, corners }: { readonly frame: PictureSize; readonly corners?: Corners | null | undefined },
  picture: Picture,
): boolean {
  if (corners !== undefined) return isSameCut(corners, picture.corners);
  const ratio = (frame.widthPx * picture.frame.heightPx) / (frame.heightPx * picture.frame.widthPx);
  return Math.abs(ratio - 1) < sameAspectWithin;
}

type OnPicture = {
  readonly frame: PictureSize;
  readonly popDetected: boolean;
  readonly corners: readonly unknown[] | null;
};

/**
 * Whether a reading's points refer to the film cut out of a photograph; a capture session's file is that film itself.
 */
export function isOnRectified(
  reading: Pick<OnPicture, "popDetected"> | null,
  film: { readonly hasRectified: boolean },
): boolean {
  return reading?.popDetected === true && film.hasRectified;
}

/**
 * What a person who measures by hand places points on: what is shown, so of a photograph the film that was cut out of
 * it. A photograph shows that film askew: its own pixels are no measure.
 *
 * @param readings  of the film, the oldest first
 */
export function pictureByHand<Reading extends OnPicture & { readonly source: "model" | "person" }>(
  film: { readonly hasRectified: boolean; readonly frame: Reading["frame"] },
  readings: readonly Reading[],
): Pick<Reading, "frame" | "popDetected" | "corners"> {
  const cut = readings.findLast(({ source, corners }) => source === "model" && corners !== null);
  if (!film.hasRectified || !cut) return { frame: film.frame, popDetected: false, corners: null };
  const { frame, popDetected, corners } = cut;
  return { frame, popDetected, corners };
}
