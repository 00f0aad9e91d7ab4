import { inOtherSize, type Point } from "../../../core/cardiac/points.ts";
import { rectify } from "../../imaging/rectify.ts";
import { validateCorners } from "../../imaging/validate-corners.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { openRadiograph } from "./open-radiograph.ts";

/**
 * The film in a photograph of a screen, straightened, at the size it has in it.
 *
 * @param frameIndex  which frame of a DICOM file, 0 for the first
 * @param corners  TL, TR, BR, BL [px of the processed photograph]
 * @returns        JPEG
 * @throws AppError INVALID_CORNERS, and whatever `openRadiograph` throws
 */
export async function rectifiedJpeg(
  dicom: DicomReader,
  bytes: Uint8Array,
  frameIndex: number,
  corners: readonly Point[],
): Promise<Buffer> {
  const photo = await openRadiograph(dicom, bytes, { frameIndex });
  const full = { widthPx: photo.fullWidthPx, heightPx: photo.fullHeightPx };
  const inFull = corners.map((corner) => inOtherSize(corner, photo, full)).map(({ x, y }) => [x, y]);
  const film = await rectify(photo, validateCorners(inFull, full));
  return film.toJpeg();
}
