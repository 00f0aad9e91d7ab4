import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";

/**
 * Writes a film strip that Chromium's fake camera plays in a loop, two pictures per second.
 *
 * Uses raw video instead of JPEG: the fake camera takes the full range of a JPEG for the narrow range of video, which
 * raises the contrast by a seventh and clips whites; real cameras state their range.
 *
 * @param pictures  files of equal size, even in both directions
 * @returns         Chromium's arguments for that camera
 */
export async function fakeCamera(pictures: readonly (string | Buffer)[]): Promise<string[]> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "corvet-camera-")), "camera.y4m");
  const frames: Buffer[] = [];
  for (const picture of pictures) {
    const { data, info } = await sharp(picture)
      .removeAlpha()
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (frames.length === 0)
      frames.push(Buffer.from(`YUV4MPEG2 W${info.width} H${info.height} F2:1 Ip A1:1 C420jpeg\n`));
    frames.push(Buffer.from("FRAME\n"), planesOf(data, info.width, info.height));
  }
  writeFileSync(file, Buffer.concat(frames));
  return [
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-video-capture=${file}`,
  ];
}

/** Planes of a frame: Y, then Cb and Cr at half the size; 8 bit, narrow range. @see ITU-R BT.601 */
function planesOf(rgb: Buffer, widthPx: number, heightPx: number): Buffer {
  const luma = Buffer.alloc(widthPx * heightPx);
  const chroma = [new Float32Array(luma.length / 4), new Float32Array(luma.length / 4)] as const;
  for (let y = 0, at = 0; y < heightPx; y += 1) {
    for (let x = 0; x < widthPx; x += 1, at += 1) {
      const [red, green, blue] = [rgb[3 * at] ?? 0, rgb[3 * at + 1] ?? 0, rgb[3 * at + 2] ?? 0];
      luma[at] = Math.round(16 + 0.2568 * red + 0.5041 * green + 0.0979 * blue);
      const cell = (y >> 1) * (widthPx >> 1) + (x >> 1);
      chroma[0][cell] = (chroma[0][cell] ?? 0) + (-0.1482 * red - 0.291 * green + 0.4392 * blue) / 4;
      chroma[1][cell] = (chroma[1][cell] ?? 0) + (0.4392 * red - 0.3678 * green - 0.0714 * blue) / 4;
    }
  }
  return Buffer.concat([luma, ...chroma.map((plane) => Buffer.from(plane.map((value) => Math.round(128 + value))))]);
}
