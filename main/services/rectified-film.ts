import { inOtherSize, type Point } from "../../core/cardiac/points.ts";
import { decodeImage } from "../imaging/decode-image.ts";
import { rectify } from "../imaging/rectify.ts";
import { validateCorners } from "../imaging/validate-corners.ts";

/**
 * The film in a photograph of a screen, straightened, as large as it is there.
 *
 * @param corners  TL, TR, BR, BL [px of the processed photograph]
 * @returns        JPEG
 * @throws AppError INVALID_IMAGE, INVALID_CORNERS
 */
export async function rectifiedJpeg(bytes: Uint8Array, corners: readonly Point[]): Promise<Buffer> {
  const photo = await decodeImage(bytes);
  const full = { widthPx: photo.fullWidthPx, heightPx: photo.fullHeightPx };
  const inFull = corners.map((corner) => inOtherSize(corner, photo, full)).map(({ x, y }) => [x, y]);
  const film = await rectify(photo, validateCorners(inFull, full));
  return film.toJpeg();
}
