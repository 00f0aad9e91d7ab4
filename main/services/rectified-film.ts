import type { Point } from "../../core/cardiac/points.ts";
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
  const toFull = (at: number, full: number, processed: number) => ((at + 0.5) * full) / processed - 0.5;
  const inFull = corners.map(({ x, y }) => [toFull(x, photo.fullWidthPx, photo.widthPx), toFull(y, photo.fullHeightPx, photo.heightPx)]);
  const film = await rectify(photo, validateCorners(inFull, { widthPx: photo.fullWidthPx, heightPx: photo.fullHeightPx }));
  return film.toJpeg();
}
