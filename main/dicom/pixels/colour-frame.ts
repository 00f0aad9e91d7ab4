import { AppError, because } from "../../../core/app-error.ts";
import { lumaOf } from "../../imaging/pixel-colours.ts";
import { wholeRange } from "../../imaging/sample-window.ts";
import type { DicomFile } from "../dicom-file.ts";
import type { DicomFrame } from "./dicom-frame.ts";
import type { FrameWords } from "./frame-words.ts";
import { lookUp, lookUpTable } from "./look-up-table.ts";
import type { Photometric, PictureDescription } from "./picture-description.ts";
import { storedValueOf } from "./stored-value.ts";

/** Converts the words of a colour frame to 8-bit RGB, or to grey without colours. @see DICOM PS3.3 C.7.6.3.1.2 */
export function colourFrame(
  file: DicomFile,
  picture: PictureDescription,
  frame: FrameWords,
): Omit<DicomFrame, "widthPx" | "heightPx" | "isShapeDoubtful"> {
  const rgb =
    picture.photometric === "PALETTE COLOR" ? paletteColours(file, picture, frame) : directColours(picture, frame);
  const isGrey = rgb.every((value, index) => index % 3 === 0 || value === rgb[index - 1]);
  // The luma of a grey is that grey.
  const shown = { samples: lumaOf(rgb), window: wholeRange(8) };
  return {
    ...shown,
    measured: shown,
    bits: 8,
    isWindowIgnored: false,
    value: null,
    colour: isGrey ? null : rgb,
  };
}

const palettes = [
  ["00281101", "00281201"],
  ["00281102", "00281202"],
  ["00281103", "00281203"],
] as const;

function paletteColours(
  file: DicomFile,
  picture: PictureDescription,
  { words, precisionBits }: FrameWords,
): Uint8Array {
  const { bitsStored, isSigned } = picture;
  const indexes = [isSigned ? -(2 ** (bitsStored - 1)) : 0, 2 ** (isSigned ? bitsStored - 1 : bitsStored) - 1] as const;
  const tables = palettes.map(([descriptor, data]) => lookUpTable(file, descriptor, data, file.isBigEndian, indexes));
  const [red, green, blue] = tables.map((table) => {
    if (table === null) throw new AppError("UNSUPPORTED_DICOM", because("dicomPaletteUnsupported"));
    // Some writers declare 16 bits but use 8.
    const shift = table.entries.some((entry) => entry > 255) ? Math.max(0, table.bits - 8) : 0;
    return Uint8Array.from(
      { length: 2 ** precisionBits },
      (_, word) => lookUp(table, storedValueOf(word, picture, precisionBits)) >> shift,
    );
  });
  const rgb = new Uint8Array(3 * words.length);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as number;
    rgb[3 * index] = red?.[word] ?? 0;
    rgb[3 * index + 1] = green?.[word] ?? 0;
    rgb[3 * index + 2] = blue?.[word] ?? 0;
  }
  return rgb;
}

function directColours(picture: PictureDescription, frame: FrameWords): Uint8Array {
  const bytes = bytesOf(picture, frame);
  const interleaved = frame.isHalfWidth ? spreadColours(bytes) : frame.isPlanar ? interleavedPlanes(bytes) : bytes;
  const isYbr = isGreyAsYbr(interleaved) ?? frame.isLumaFirst ?? isYbrPhotometric(picture.photometric);
  return isYbr ? rgbOfYbr(interleaved) : interleaved;
}

/** Reduces colours to their upper 8 bits: films are not measured on colours. */
function bytesOf(picture: PictureDescription, { words, precisionBits }: FrameWords): Uint8Array {
  const form = precisionBits < picture.bitsStored ? { bitsStored: precisionBits, highBit: precisionBits - 1 } : picture;
  const shift = Math.max(0, form.bitsStored - 8);
  const bytes = Uint8Array.from(
    { length: words instanceof Uint8Array ? 256 : 65_536 },
    (_, word) => storedValueOf(word, { ...form, isSigned: false }, precisionBits) >> shift,
  );
  const narrow = new Uint8Array(words.length);
  for (let index = 0; index < words.length; index += 1) narrow[index] = bytes[words[index] as number] as number;
  return narrow;
}

/** Expands Y1 Y2 Cb Cr to Y Cb Cr for both pixels of a pair. */
function spreadColours(bytes: Uint8Array): Uint8Array {
  const ybr = new Uint8Array((bytes.length / 2) * 3);
  for (let from = 0, to = 0; from + 3 < bytes.length; from += 4, to += 6) {
    ybr[to] = bytes[from] as number;
    ybr[to + 3] = bytes[from + 1] as number;
    ybr[to + 1] = ybr[to + 4] = bytes[from + 2] as number;
    ybr[to + 2] = ybr[to + 5] = bytes[from + 3] as number;
  }
  return ybr;
}

function interleavedPlanes(bytes: Uint8Array): Uint8Array {
  const plane = bytes.length / 3;
  const rgb = new Uint8Array(bytes.length);
  for (let index = 0; index < plane; index += 1) {
    for (let channel = 0; channel < 3; channel += 1)
      rgb[3 * index + channel] = bytes[channel * plane + index] as number;
  }
  return rgb;
}

/** Minimum fraction of grey pixels in a film with coloured marks. */
const greyShare = 0.95;
/** Distance from grey that lossy compression causes. */
const greyTolerance = 4;

/** Whether a grey picture is stored as YBR, regardless of its header; null for a coloured one. */
function isGreyAsYbr(bytes: Uint8Array): boolean | null {
  const pixels = bytes.length / 3;
  const isNear = (one: number, other: number) => Math.abs(one - other) <= greyTolerance;
  let [ybr, rgb] = [0, 0];
  for (let at = 0; at < bytes.length; at += 3) {
    const [first, second, third] = [bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number];
    if (isNear(second, 128) && isNear(third, 128)) ybr += 1;
    if (isNear(second, first) && isNear(third, first)) rgb += 1;
  }
  const [isYbr, isRgb] = [ybr >= greyShare * pixels, rgb >= greyShare * pixels];
  return isYbr === isRgb ? null : isYbr;
}

/** Whether Photometric Interpretation states YBR; the JPEG 2000 codec has already converted its colours. */
function isYbrPhotometric(photometric: Photometric): boolean {
  return photometric === "YBR_FULL" || photometric === "YBR_FULL_422" || photometric === "YBR_PARTIAL_420";
}

/** @see DICOM PS3.3 C.7.6.3.1.2, YBR_FULL */
function rgbOfYbr(ybr: Uint8Array): Uint8Array {
  const rgb = new Uint8ClampedArray(ybr.length);
  for (let at = 0; at + 2 < ybr.length; at += 3) {
    const luma = ybr[at] as number;
    const blue = (ybr[at + 1] as number) - 128;
    const red = (ybr[at + 2] as number) - 128;
    rgb[at] = luma + 1.402 * red;
    rgb[at + 1] = luma - 0.344136 * blue - 0.714136 * red;
    rgb[at + 2] = luma + 1.772 * blue;
  }
  return new Uint8Array(rgb.buffer);
}
