import { AppError, because } from "../../../core/app-error.ts";
import { maximumPixels } from "../../imaging/picture-shape.ts";
import type { DicomElements } from "../elements/dicom-elements.ts";

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
  const number = (name: string, tag: string, fallback?: number): number => {
    const value = file.number(tag) ?? fallback;
    if (value === undefined)
      throw new AppError("INVALID_DICOM", because("dicomValueMissing", { attribute: `${name} ${tagName(tag)}` }));
    // Damaged files may contain decimals.
    if (!Number.isInteger(value))
      throw new AppError(
        "INVALID_DICOM",
        because("dicomValueWrong", { attribute: `${name} ${tagName(tag)}`, value: String(value) }),
      );
    return value;
  };
  const choice = <Value extends number>(
    name: string,
    tag: string,
    choices: readonly Value[],
    fallback?: Value,
  ): Value => {
    const value = number(name, tag, fallback);
    const found = choices.find((each) => each === value);
    if (found === undefined)
      throw new AppError(
        "UNSUPPORTED_DICOM",
        because("dicomValueUnsupported", { attribute: `${name} ${tagName(tag)}`, value: String(value) }),
      );
    return found;
  };
  const heightPx = number("Rows", "00280010");
  const widthPx = number("Columns", "00280011");
  // Some writers use 0 for a single frame.
  const numberOfFrames = number("Number of Frames", "00280008", 1) || 1;
  assertSize(widthPx, heightPx, numberOfFrames);
  const bitsAllocated = choice("Bits Allocated", "00280100", [8, 16]);
  const bitsStored = number("Bits Stored", "00280101", bitsAllocated);
  const highBit = number("High Bit", "00280102", bitsStored - 1);
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
  const samplesPerPixel = choice("Samples per Pixel", "00280002", [1, 3], 1);
  return {
    widthPx,
    heightPx,
    numberOfFrames,
    samplesPerPixel,
    bitsAllocated,
    bitsStored,
    highBit,
    photometric: photometricOf(file, samplesPerPixel),
    isPlanar: samplesPerPixel === 3 && choice("Planar Configuration", "00280006", [0, 1], 0) === 1,
    isSigned: choice("Pixel Representation", "00280103", [0, 1], 0) === 1,
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
      because("dicomValueWrong", { attribute: "Number of Frames (0028,0008)", value: String(numberOfFrames) }),
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
        attribute: "Photometric Interpretation (0028,0004)",
        value: named.slice(0, 16),
      }),
    );
  const wanted =
    photometric === "MONOCHROME1" || photometric === "MONOCHROME2" || photometric === "PALETTE COLOR" ? 1 : 3;
  if (wanted !== samplesPerPixel)
    throw new AppError("INVALID_DICOM", because("dicomSamplesWrong", { photometric, samples: samplesPerPixel }));
  return photometric;
}

function tagName(tag: string): string {
  return `(${tag.slice(0, 4)},${tag.slice(4)})`;
}
