import sharp from "sharp";
import type { PictureSize } from "../../core/cardiac/points.ts";
import type { ColourPixels, DecodedImage } from "./decode-image.ts";
import { processedLongestSidePx } from "./processed-size.ts";
import { assertRadiographShape } from "./picture-shape.ts";
import { greyAndColour, greyAsColour } from "./pixel-colours.ts";
import { shownSamples, type SampleWindow } from "./sample-window.ts";

/** Picture in square pixels, even if those of the file are not. */
export type SampledPicture = PictureSize & {
  /** Row-major; larger is brighter, independent of the file's convention; padding is 0. Uint16Array above 8 bits. */
  readonly samples: Uint8Array | Uint16Array;
  readonly window: SampleWindow;
  /**
   * Samples to measure, with a separate window: values after the modality's table, larger is brighter. Independent of
   * the window, table or sigmoid for display.
   */
  readonly measured: { readonly samples: Uint8Array | Uint16Array; readonly window: SampleWindow };
  /** Interleaved red, green, blue, 0–255; null when the picture is grey. `samples` is the luma of a colour picture. */
  readonly colour: Uint8Array | null;
  readonly isShapeDoubtful: boolean;
  readonly isWindowIgnored: boolean;
};

/**
 * Creates the image to measure from decoded samples: scales it in full depth, then reduces it to 8 bits by two windows,
 * one for measuring and one for display. @throws AppError INVALID_IMAGE if it is too small or too narrow
 */
export async function imageOfSamples(picture: SampledPicture, sha256: string): Promise<DecodedImage> {
  const { widthPx: fullWidthPx, heightPx: fullHeightPx } = picture;
  assertRadiographShape(picture);
  const processed = picture.colour === null ? await scaledGrey(picture) : await shownColour(picture.colour, picture);
  const { widthPx, heightPx, grey, shown, colour } = processed;
  return {
    sha256,
    fullWidthPx,
    fullHeightPx,
    widthPx,
    heightPx,
    grey,
    shown,
    colour,
    isShapeDoubtful: picture.isShapeDoubtful,
    isWindowIgnored: picture.isWindowIgnored,
    fullColour: (longestSidePx) => fullColour(picture, longestSidePx),
  };
}

async function scaledGrey(picture: SampledPicture) {
  const { samples, window, measured } = picture;
  const { data, widthPx, heightPx } = await scaledSamples(measured.samples, picture);
  const shown = measured.samples === samples ? data : (await scaledSamples(samples, picture)).data;
  return {
    widthPx,
    heightPx,
    grey: shownSamples(data, measured.window),
    shown: shownSamples(shown, window),
    colour: null,
  };
}

async function shownColour(pixels: Uint8Array, size: PictureSize) {
  const { data, widthPx, heightPx } = await scaledColour(pixels, size);
  const { grey, colour } = greyAndColour(data);
  return { widthPx, heightPx, grey, shown: grey, colour };
}

async function scaledSamples(samples: Uint8Array | Uint16Array, { widthPx, heightPx }: SampledPicture) {
  const isDeep = samples instanceof Uint16Array;
  const image = sharp(samples, {
    raw: { width: widthPx, height: heightPx, channels: 1 },
    limitInputPixels: false,
  }).toColourspace(isDeep ? "grey16" : "b-w");
  const { data, info } = await image
    .resize(inside(processedLongestSidePx))
    .raw({ depth: isDeep ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true });
  const scaled = isDeep
    ? new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { data: scaled, widthPx: info.width, heightPx: info.height };
}

async function scaledColour(
  colour: Uint8Array,
  size: PictureSize,
  longestSidePx = processedLongestSidePx,
): Promise<ColourPixels> {
  const image = sharp(colour, {
    raw: { width: size.widthPx, height: size.heightPx, channels: 3 },
    limitInputPixels: false,
  }).resize(inside(longestSidePx));
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const scaled = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { data: scaled, widthPx: info.width, heightPx: info.height, channels: 3 };
}

async function fullColour(
  picture: SampledPicture,
  longestSidePx = Math.max(picture.widthPx, picture.heightPx),
): Promise<ColourPixels> {
  return scaledColour(
    picture.colour ?? greyAsColour(shownSamples(picture.samples, picture.window)),
    picture,
    longestSidePx,
  );
}

function inside(longestSidePx: number) {
  return { width: longestSidePx, height: longestSidePx, fit: "inside", withoutEnlargement: true } as const;
}
