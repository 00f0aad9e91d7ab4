import sharp, { type Sharp } from "sharp";

export const sidePx = 3000;

export const plainPicture = (channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width: sidePx, height: sidePx, channels, background: { r: 40, g: 90, b: 20, alpha: 0.6 } } });

/** Formats that the decoder keeps completely in memory, and one that it does not. */
export const wholePictures: readonly (readonly [string, () => Sharp])[] = [
  [
    "an interlaced PNG of 16 bits with transparency",
    () => plainPicture(4).toColourspace("rgb16").png({ progressive: true }),
  ],
  ["an interlaced PNG of 16 bits", () => plainPicture().toColourspace("rgb16").png({ progressive: true })],
  ["a progressive JPEG", () => plainPicture().jpeg({ progressive: true, chromaSubsampling: "4:4:4" })],
  ["a progressive JPEG of CMYK", () => plainPicture().toColourspace("cmyk").jpeg({ progressive: true })],
  ["a PNG of 16 bits", () => plainPicture(4).toColourspace("rgb16").png()],
];
