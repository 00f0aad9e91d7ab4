import { isDicom } from "../../dicom/dicom-file.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { decodeSamples } from "../../imaging/decode-image.ts";
import type { SampleWindow } from "../../imaging/sample-window.ts";

/** Grey samples of an upright full-size film, row-major; little-endian pairs of bytes above 8 bits. */
export type FilmPixels = {
  readonly data: Buffer;
  readonly widthPx: number;
  readonly heightPx: number;
  /** 8–16; samples are at most 2^bits - 1. */
  readonly bits: number;
  /** Default display window in sample values; null if unspecified. */
  readonly window: SampleWindow | null;
  /** Physical values are `slope * sample + intercept`, in `unit` if the file names it. */
  readonly value: { readonly slope: number; readonly intercept: number; readonly unit: string | null } | null;
};

/**
 * Reads full-size grey samples at the file's bit depth.
 *
 * @param frameIndex  frame of a DICOM file, 0-based
 * @throws AppError INVALID_IMAGE, INVALID_DICOM, UNSUPPORTED_DICOM, DICOM_WITHOUT_PIXELS, IMAGE_TOO_MANY_PIXELS
 */
export async function filmPixels(dicom: DicomReader, file: Uint8Array, frameIndex = 0): Promise<FilmPixels> {
  if (isDicom(file)) return dicomPixels(dicom, file, frameIndex);
  return { ...(await decodeSamples(file)), window: null, value: null };
}

async function dicomPixels(dicom: DicomReader, bytes: Uint8Array, frameIndex: number): Promise<FilmPixels> {
  const { samples, widthPx, heightPx, bits, window, value } = await dicom.frame(bytes, frameIndex);
  return {
    data: Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
    widthPx,
    heightPx,
    bits,
    window,
    value,
  };
}
