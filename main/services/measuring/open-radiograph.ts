import { createHash } from "node:crypto";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { decodeImage, type DecodedImage } from "../../imaging/decode-image.ts";
import { imageOfSamples } from "../../imaging/image-of-samples.ts";

/**
 * Opens a film for measuring.
 *
 * @param options.frameIndex  frame of a DICOM file, 0-based
 * @param options.decode      decodes a JPEG or PNG
 * @throws AppError UNSUPPORTED_IMAGE, INVALID_IMAGE, IMAGE_TOO_MANY_PIXELS, INVALID_DICOM, UNSUPPORTED_DICOM,
 *   DICOM_WITHOUT_PIXELS, ABORTED
 */
export async function openRadiograph(
  dicom: DicomReader,
  bytes: Uint8Array,
  {
    frameIndex = 0,
    signal,
    decode = () => decodeImage(bytes),
  }: {
    readonly frameIndex?: number | undefined;
    readonly signal?: AbortSignal;
    readonly decode?: () => Promise<DecodedImage>;
  } = {},
): Promise<DecodedImage> {
  if (!isDicom(bytes)) return decode();
  const frame = await dicom.frame(bytes, frameIndex, { signal });
  return imageOfSamples(frame, createHash("sha256").update(bytes).digest("hex"));
}
