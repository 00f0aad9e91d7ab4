import { readDicomFile } from "../dicom-file.ts";
import { colourFrame } from "./colour-frame.ts";
import type { DicomFrame } from "./dicom-frame.ts";
import { frameWords, type CodecSource } from "./frame-words.ts";
import { greyFrame } from "./grey-levels.ts";
import { isShapeDoubtful, pixelAspect } from "../pixel-grid.ts";
import { describePicture } from "./picture-description.ts";
import { squareFrame } from "./square-pixels.ts";

/**
 * Reads one frame of any transfer syntax, depth and colours. Overlays are ignored.
 *
 * @throws AppError INVALID_DICOM, UNSUPPORTED_DICOM, DICOM_WITHOUT_PIXELS, IMAGE_TOO_MANY_PIXELS
 */
export async function readFrame(
  bytes: Uint8Array,
  frameIndex: number,
  startCodec: CodecSource,
  onChecked: (pixels: number) => void = () => undefined,
): Promise<DicomFrame> {
  const file = readDicomFile(bytes);
  const picture = describePicture(file);
  const { widthPx, heightPx, photometric } = picture;
  const aspect = pixelAspect(file);
  onChecked(widthPx * heightPx);
  const words = await frameWords(file, picture, frameIndex, startCodec);
  const isGrey = photometric === "MONOCHROME1" || photometric === "MONOCHROME2";
  const frame = isGrey ? { ...greyFrame(file, picture, words), colour: null } : colourFrame(file, picture, words);
  return squareFrame({ widthPx, heightPx, isShapeDoubtful: isShapeDoubtful(file), ...frame }, aspect);
}
