import type { Corners, PictureSize } from "./points.ts";

/**
 * A picture that points refer to. `corners` are its corners in the photograph [px of the processed photograph], null if
 * the file is the picture itself.
 */
export type Picture = { readonly frame: PictureSize; readonly corners: Corners | null };

/** Whether two pictures have the same content and size, so that points can be copied between them. */
export function isSamePicture(one: Picture, other: Picture): boolean {
  const isSameSize = one.frame.widthPx === other.frame.widthPx && one.frame.heightPx === other.frame.heightPx;
  return isSameSize && isSameCrop(one.corners, other.corners);
}

/** Whether two pictures of a film show the same part of its file, in any size. */
export function isSameCrop(one: Corners | null, other: Corners | null): boolean {
  if (one === null || other === null) return one === other;
  return one.every(({ x, y }, index) => x === other[index]?.x && y === other[index]?.y);
}

type OnPicture = {
  readonly frame: PictureSize;
  readonly popDetected: boolean;
  readonly corners: readonly unknown[] | null;
};

/**
 * Whether a reading's points refer to the film cut out of a photograph. False for capture sessions, whose file is that
 * film.
 */
export function isOnRectified(
  reading: Pick<OnPicture, "popDetected"> | null,
  film: { readonly hasRectified: boolean },
): boolean {
  return reading?.popDetected === true && film.hasRectified;
}

/**
 * Picture on which a user places points: the rectified film of a photograph, because the photograph itself is
 * distorted. `readings`: oldest first.
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
