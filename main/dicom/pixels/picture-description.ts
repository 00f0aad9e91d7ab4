import { AppError, because } from "../../../core/app-error.ts";
import { maximumPixels } from "../../imaging/picture-shape.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";
import { attributeName } from "../elements/standard-representation.ts";

const photometricInterpretations = [
  "MONOCHROME1",
  "MONOCHROME2",
  "PALETTE COLOR",
  "RGB",
  "YBR_FULL",
  "YBR_FULL_422",
  "YBR_PARTIAL_420",
  "YBR_ICT",
  "YBR_RCT",
] as const;

export type Photometric = (typeof photometricInterpretations)[number];

/** Validated Image Pixel module of a file. No memory is allocated for a picture before its numbers are validated. */
export type PictureDescription = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly numberOfFrames: number;
  readonly samplesPerPixel: 1 | 3;
  readonly photometric: Photometric;
  readonly isPlanar: boolean;
  readonly bitsAllocated: 8 | 16;
  readonly bitsStored: number;
  readonly highBit: number;
  readonly isSigned: boolean;
};

/** @throws AppError INVALID_DICOM, UNSUPPORTED_DICOM, IMAGE_TOO_MANY_PIXELS */
export function describePicture(file: DicomElements): PictureDescription {
  const number = (tag: string, fallback?: number): number => {
    const value = file.number(tag) ?? fallback;
    if (value === undefined)
      throw new AppError("INVALID_DICOM", because("dicomValueMissing", { attribute: attributeName(tag) }));
    if (!Number.isInteger(value))
      throw new AppError(
        "INVALID_DICOM",
        because("dicomValueWrong", { attribute: attributeName(tag), value: String(value) }),
      );
    return value;
  };
  const choice = <Value extends number>(tag: string, choices: readonly Value[], fallback?: Value): Value => {
    const value = number(tag, fallback);
    const found = choices.find((each) => each === value);
    if (found === undefined)
      throw new AppError(
        "UNSUPPORTED_DICOM",
        because("dicomValueUnsupported", { attribute: attributeName(tag), value: String(value) }),
      );
    return found;
  };
  const heightPx = number("00280010");
  const widthPx = number("00280011");
  // Some writers use 0 for a single frame.
  const numberOfFrames = number("00280008", 1) || 1;
  assertSize(widthPx, heightPx, numberOfFrames);
  const bitsAllocated = choice("00280100", [8, 16]);
  const bitsStored = number("00280101", bitsAllocated);
  const highBit = number("00280102", bitsStored - 1);
  if (!(bitsStored >= 1 && bitsStored <= bitsAllocated && highBit >= bitsStored - 1 && highBit < bitsAllocated)) {
    throw new AppError(
      "INVALID_DICOM",
      because("dicomBitsWrong", {
        stored: String(bitsStored),
        high: String(highBit),
        allocated: String(bitsAllocated),
      }),
    );
  }
  const samplesPerPixel = choice("00280002", [1, 3], 1);
  return {
    widthPx,
    heightPx,
    numberOfFrames,
    samplesPerPixel,
    bitsAllocated,
    bitsStored,
    highBit,
    photometric: photometricOf(file, samplesPerPixel),
    isPlanar: samplesPerPixel === 3 && choice("00280006", [0, 1], 0) === 1,
    isSigned: choice("00280103", [0, 1], 0) === 1,
  };
}

function assertSize(widthPx: number, heightPx: number, numberOfFrames: number): void {
  if (!(widthPx >= 1 && heightPx >= 1))
    throw new AppError(
      "INVALID_DICOM",
      because("dicomSizeWrong", { rows: String(heightPx), columns: String(widthPx) }),
    );
  if (!(numberOfFrames >= 1))
    throw new AppError(
      "INVALID_DICOM",
      because("dicomValueWrong", { attribute: attributeName("00280008"), value: String(numberOfFrames) }),
    );
  if (widthPx * heightPx > maximumPixels) throw new AppError("IMAGE_TOO_MANY_PIXELS");
}

function photometricOf(file: DicomElements, samplesPerPixel: 1 | 3): Photometric {
  const named = file.text("00280004") ?? (samplesPerPixel === 1 ? "MONOCHROME2" : "RGB");
  const photometric = photometricInterpretations.find((known) => known === named.toUpperCase());
  if (!photometric)
    throw new AppError(
      "UNSUPPORTED_DICOM",
      because("dicomValueUnsupported", {
        attribute: attributeName("00280004"),
        value: named.slice(0, 16),
      }),
    );
  const wanted =
    photometric === "MONOCHROME1" || photometric === "MONOCHROME2" || photometric === "PALETTE COLOR" ? 1 : 3;
  if (wanted !== samplesPerPixel)
    throw new AppError("INVALID_DICOM", because("dicomSamplesWrong", { photometric, samples: samplesPerPixel }));
  return photometric;
}
