import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import sharp, { type Metadata, type Sharp } from "sharp";
import { AppError } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/contract/error-catalogue.ts";
import { systemFaultOf } from "../../core/system-fault.ts";
import type { PictureSize } from "../../core/cardiac/points.ts";
import { hasExposureData } from "./camera-exposure.ts";
import { decodingBytes, isJpeg, isPng, pictureForm, type PictureForm } from "./decoding/decoding-bytes.ts";
import { eightBitsOf, usedRangeOf, type UsedRange } from "./decoding/deep-samples.ts";
import { plainJpeg } from "./decoding/plain-jpeg.ts";
import { createDecodingRoom } from "./decoding/decoding-room.ts";
import { assertRadiographShape, maximumPixels } from "./picture-shape.ts";
import { colourOfCmyk, greyAndColour, lumaOf } from "./pixel-colours.ts";
import { processedLongestSidePx } from "./processed-size.ts";

/** Time limit for pictures of hundreds of progressive scans [s]. It also elapses while the computer is suspended. */
const decodeTimeoutSeconds = 30;

// Each picture is decoded only once, so libvips' cache would only grow.
sharp.cache(false);

/** One thread decompresses while the other resizes; more would only take cores from other work. */
const reducingThreads = Math.min(2, availableParallelism());

const room = createDecodingRoom();

/** Interleaved red, green, blue, row-major, 0–255. */
export type ColourPixels = {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly channels: 3;
};

/** Luma of a picture, row-major, 0–255. */
export type GreyPixels = { readonly grey: Uint8Array; readonly widthPx: number; readonly heightPx: number };

/** Image to measure: upright, 8 bits, longest side at most 1080 px. */
export type DecodedImage = GreyPixels & {
  readonly sha256: string;
  readonly fullWidthPx: number;
  readonly fullHeightPx: number;
  /** Luma of the processed image for display; the same as `grey` unless the file defines a display window. */
  readonly shown: Uint8Array;
  /** The processed image in colour; null when it is grey. */
  readonly colour: Uint8Array | null;
  /** The pixel aspect in the file is unreadable, so the proportions may be wrong. */
  readonly isShapeDoubtful?: boolean;
  /** The file's window or table is ignored because it hides the film. */
  readonly isWindowIgnored?: boolean;
  /** The file contains a camera's exposure data; absent for formats without them. */
  readonly hasExposureData?: boolean;
  /** Decodes the upright picture in colour, at full size without a limit. */
  fullColour(longestSidePx?: number): Promise<ColourPixels>;
};

/**
 * Decodes a JPEG or PNG of any depth, colours, transparency, palette, interlacing and EXIF orientation. Transparency is
 * drawn on black. Truncated or damaged pixel data is an error: half a film must not be measured.
 *
 * @throws AppError UNSUPPORTED_IMAGE, INVALID_IMAGE, IMAGE_TOO_MANY_PIXELS, IMAGE_TOO_COSTLY, ABORTED,
 *   DECODING_INTERRUPTED
 */
export async function decodeImage(
  file: Uint8Array,
  options: {
    readonly signal?: AbortSignal;
    readonly timeoutSeconds?: number;
    readonly form?: PictureForm | null;
  } = {},
): Promise<DecodedImage> {
  if (!isJpeg(file) && !isPng(file)) throw new AppError("UNSUPPORTED_IMAGE");
  const { form = pictureForm(file) } = options;
  const bytes = plainJpeg(file);
  const header = await readHeader(bytes);
  assertRadiographShape(header);
  throwIfAborted(options.signal);
  const { data, widthPx, heightPx, isGrey, range } = await room.run(
    decodingBytes(form),
    () => decodePixels(bytes, header, processedLongestSidePx, null, options.timeoutSeconds),
    options.signal,
  );
  throwIfAborted(options.signal);
  const { grey, colour } = isGrey ? { grey: data, colour: null } : greyAndColour(data);
  return {
    sha256: createHash("sha256").update(file).digest("hex"),
    fullWidthPx: header.widthPx,
    fullHeightPx: header.heightPx,
    widthPx,
    heightPx,
    grey,
    shown: grey,
    colour,
    hasExposureData: header.hasExposureData,
    fullColour: (longestSidePx) => decodeColour(bytes, { header, form, range }, longestSidePx),
  };
}

/** Grey samples of a picture, row-major, in its depth; little-endian pairs of bytes for 16 bits. */
export type PictureSamples = PictureSize & { readonly data: Buffer; readonly bits: 8 | 16 };

/**
 * Decodes an upright picture at full size to the grey samples of its file.
 *
 * @throws AppError INVALID_IMAGE, IMAGE_TOO_MANY_PIXELS, IMAGE_TOO_COSTLY, DECODING_INTERRUPTED
 */
export async function decodeSamples(file: Uint8Array): Promise<PictureSamples> {
  const form = pictureForm(file);
  const bytes = plainJpeg(file);
  const header = await readHeader(bytes);
  const { space, isDeep, isTurned } = header;
  if (space === "cmyk" || space === "profiled-cmyk") {
    const { data, widthPx, heightPx } = await decodeColour(bytes, { header, form, range: null });
    return { data: Buffer.from(lumaOf(data).buffer), widthPx, heightPx, bits: 8 };
  }
  const neededBytes = decodingBytes(form, isDeep ? 2 : 1, isTurned);
  const { data, info } = await room.run(neededBytes, () => rawPixels(bytes, { ...header, space: "grey" }));
  return { data, widthPx: info.width, heightPx: info.height, bits: isDeep ? 16 : 8 };
}

type Header = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly space: "grey" | "colour" | "cmyk" | "profiled-cmyk";
  readonly isDeep: boolean;
  readonly hasExposureData: boolean;
  /** Whether EXIF states a quarter turn. */
  readonly isTurned: boolean;
};

async function readHeader(bytes: Uint8Array): Promise<Header> {
  const metadata = await orInvalid(sharp(bytes, { limitInputPixels: false }).metadata());
  if (metadata.width * metadata.height > maximumPixels) throw new AppError("IMAGE_TOO_MANY_PIXELS");
  return {
    widthPx: metadata.autoOrient.width,
    heightPx: metadata.autoOrient.height,
    space: spaceOf(metadata),
    isDeep: metadata.depth === "ushort",
    hasExposureData: hasExposureData(metadata.exif),
    isTurned: (metadata.orientation ?? 1) > 4,
  };
}

function spaceOf(metadata: Metadata): Header["space"] {
  if (metadata.space === "b-w" || metadata.space === "grey16") return "grey";
  if (metadata.space !== "cmyk") return "colour";
  return metadata.hasProfile ? "profiled-cmyk" : "cmyk";
}

async function decodeColour(
  bytes: Uint8Array,
  of: { readonly header: Header; readonly form: PictureForm | null; readonly range: UsedRange | null },
  longestSidePx?: number,
): Promise<ColourPixels> {
  const { header, form, range } = of;
  const shown: Header = header.space === "grey" ? { ...header, space: "colour" } : header;
  const scale = Math.min(1, (longestSidePx ?? Infinity) / Math.max(header.widthPx, header.heightPx));
  const neededBytes = decodingBytes(form, (header.isDeep ? 9 : 3) * scale ** 2, header.isTurned);
  const pixels = await room.run(neededBytes, () => decodePixels(bytes, shown, longestSidePx, range));
  return { data: pixels.data, widthPx: pixels.widthPx, heightPx: pixels.heightPx, channels: 3 };
}

/** @param range  used range of 16-bit samples; null to determine it after resizing in full depth */
async function decodePixels(
  bytes: Uint8Array,
  header: Header,
  longestSidePx: number | undefined,
  range: UsedRange | null,
  timeoutSeconds?: number,
) {
  const { data, info } = await rawPixels(bytes, header, longestSidePx, timeoutSeconds);
  const size = { widthPx: info.width, heightPx: info.height, isGrey: header.space === "grey" };
  if (header.isDeep) {
    const samples = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
    const used = range ?? usedRangeOf(samples);
    return { ...size, data: eightBitsOf(samples, used), range: used };
  }
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { ...size, data: header.space === "cmyk" ? colourOfCmyk(pixels) : pixels, range: null };
}

function rawPixels(
  bytes: Uint8Array,
  { space, widthPx, heightPx, isDeep }: Header,
  longestSidePx?: number,
  timeoutSeconds = decodeTimeoutSeconds,
) {
  const isReduced = Math.max(widthPx, heightPx) > (longestSidePx ?? Infinity);
  // Applies to all later pipelines. A second thread for unreduced pictures would only cost memory.
  sharp.concurrency(isReduced ? reducingThreads : 1);
  const options = {
    limitInputPixels: maximumPixels,
    failOn: "warning",
    autoOrient: true,
    sequentialRead: true,
  } as const;
  // Ignore the profile of a grey or RGB film: it describes a display, but the networks were trained on the pixel
  // values, which are the exposure.
  let image: Sharp = sharp(bytes, { ...options, ignoreIcc: space !== "profiled-cmyk" }).timeout({
    seconds: timeoutSeconds,
  });
  if (space === "cmyk") image = image.pipelineColourspace("cmyk").toColourspace("cmyk");
  else image = image.flatten({ background: "black" }).toColourspace(colourSpaces[`${space === "grey"}-${isDeep}`]);
  if (longestSidePx !== undefined) {
    image = image.resize({ width: longestSidePx, height: longestSidePx, fit: "inside", withoutEnlargement: true });
  }
  return orInvalid(image.raw({ depth: isDeep ? "ushort" : "uchar" }).toBuffer({ resolveWithObject: true }));
}

const colourSpaces = {
  "true-true": "grey16",
  "true-false": "b-w",
  "false-true": "rgb16",
  "false-false": "srgb",
} as const;

async function orInvalid<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw systemFaultOf(cause) ?? new AppError(codeOfFault(cause), undefined, { cause });
  }
}

/** libvips reports a lack of time, memory or threads only as text. The picture is not the cause of these errors. */
function codeOfFault(cause: unknown): ErrorCode {
  const systemFault = /^timeout: |out of memory|(?:cannot|unable to) (?:allocate|create thread)|too many open files/i;
  return cause instanceof Error && systemFault.test(cause.message) ? "DECODING_INTERRUPTED" : "INVALID_IMAGE";
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError("ABORTED");
}
