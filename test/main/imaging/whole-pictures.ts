import sharp, { type Sharp } from "sharp";

export const sidePx = 3000;

export const plainPicture = (side = sidePx, channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width: side, height: side, channels, background: { r: 40, g: 90, b: 20, alpha: 0.6 } } });

/** Formats that the decoder keeps completely in memory, and one that it does not. */
export const wholePictures: readonly (readonly [string, (side: number) => Sharp])[] = [
  [
    "an interlaced PNG of 16 bits with transparency",
    (side) => plainPicture(side, 4).toColourspace("rgb16").png({ progressive: true }),
  ],
  ["an interlaced PNG of 16 bits", (side) => plainPicture(side).toColourspace("rgb16").png({ progressive: true })],
  ["a progressive JPEG", (side) => plainPicture(side).jpeg({ progressive: true, chromaSubsampling: "4:4:4" })],
  ["a progressive JPEG of CMYK", (side) => plainPicture(side).toColourspace("cmyk").jpeg({ progressive: true })],
  ["a PNG of 16 bits", (side) => plainPicture(side, 4).toColourspace("rgb16").png()],
];
