import { cornersInOtherSize, type Corners } from "../../../core/cardiac/points.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { rectify, type RectifiedFilm } from "../../imaging/rectify.ts";
import { validateCorners } from "../../imaging/validate-corners.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { openRadiograph } from "./open-radiograph.ts";

/**
 * Rectifies the film in a photograph of a screen, at its size in the photograph.
 *
 * @param corners  TL, TR, BR, BL [px of the processed photograph]
 * @throws AppError INVALID_CORNERS, and errors of `openRadiograph`
 */
export async function rectifiedJpeg(
  dicom: DicomReader,
  bytes: Uint8Array,
  frameIndex: number,
  corners: Corners,
): Promise<Buffer> {
  const film = await straightenedFilm(await openRadiograph(dicom, bytes, { frameIndex }), corners);
  return film.toJpeg();
}

/** @param corners  TL, TR, BR, BL [px of the processed photograph] @throws AppError INVALID_CORNERS */
export function straightenedFilm(
  photo: DecodedImage,
  corners: Corners,
  options?: Parameters<typeof rectify>[2],
): Promise<RectifiedFilm> {
  const full = { widthPx: photo.fullWidthPx, heightPx: photo.fullHeightPx };
  const inFull = cornersInOtherSize(corners, photo, full).map(({ x, y }) => [x, y]);
  return rectify(photo, validateCorners(inFull, full), options);
}
