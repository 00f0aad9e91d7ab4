import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { decodingBytes } from "../../../main/imaging/decoding/decoding-bytes.ts";
import { decodingLimitBytes } from "../../../main/imaging/decoding/decoding-room.ts";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { emptyPng } from "../../fixtures/imaging/empty-png.ts";
import { temporaryDataDir } from "../store/sample-store.ts";

const folder = temporaryDataDir();
afterAll(() => folder.remove());

const sidePx = 3000;
const plain = (channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width: sidePx, height: sidePx, channels, background: { r: 40, g: 90, b: 20, alpha: 0.6 } } });

/** Forms that are kept whole while they are decoded, and one that is not. */
const forms: readonly (readonly [string, () => Sharp])[] = [
  ["an interlaced PNG of 16 bits with transparency", () => plain(4).toColourspace("rgb16").png({ progressive: true })],
  ["an interlaced PNG of 16 bits", () => plain().toColourspace("rgb16").png({ progressive: true })],
  ["a progressive JPEG", () => plain().jpeg({ progressive: true, chromaSubsampling: "4:4:4" })],
  ["a progressive JPEG of CMYK", () => plain().toColourspace("cmyk").jpeg({ progressive: true })],
  ["a PNG of 16 bits", () => plain(4).toColourspace("rgb16").png()],
];

/** Least of three peaks: V8's memory in a process adds to what decoding takes, and varies. */
const leastBytes = (...args: Parameters<typeof measuredBytes>): number =>
  Math.min(measuredBytes(...args), measuredBytes(...args), measuredBytes(...args));

/** Peak of resident memory that decoding adds, in a separate process, as a film or in full [bytes]. */
function measuredBytes(image: Buffer, what: "film" | "full" = "film"): number {
  const file = path.join(folder.dataDir, "picture");
  writeFileSync(file, image);
  const decode = path.resolve("main/imaging/decode-image.ts");
  const script = `
    import { readFileSync } from "node:fs";
    const { decodeImage } = await import(${JSON.stringify(decode)});
    const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
    const image = readFileSync(${JSON.stringify(file)});
    await decodeImage(image.subarray(0, 40)).catch(() => undefined);
    const before = peak();
    const film = await decodeImage(image);
    if (${JSON.stringify(what)} === "full") await film.fullColour();
    console.log(peak() - before);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }));
}

describe("the memory that decoding takes", () => {
  it.each(forms)("is at most, and close to, the estimate from the header of %s", async (_, make) => {
    const image = await make().toBuffer();
    const said = decodingBytes(image);
    if (process.platform === "linux") expect(leastBytes(image)).toBeLessThan(said);
    // A third of a picture kept whole lies in rows and scaling at this size.
    expect(said).toBeLessThan(sidePx * sidePx * 16);
  });

  it("of a picture at full size counts that, too", async () => {
    const image = await plain().png().toBuffer();
    expect(decodingBytes(image, 3) - decodingBytes(image)).toBe(sidePx * sidePx * 3);
  });

  it("of a picture at full size that is turned counts the copy", async () => {
    // Large enough that what stays of decoding the film does not cover it.
    const large = sharp({ create: { width: 6000, height: 6000, channels: 3, background: "#445566" } });
    const image = await large.withMetadata({ orientation: 6 }).png({ compressionLevel: 1 }).toBuffer();
    const said = decodingBytes(image, 3, true);
    if (process.platform === "linux") expect(leastBytes(image, "full")).toBeLessThan(said);
    expect(said - decodingBytes(image, 3)).toBeGreaterThanOrEqual(6000 * 6000 * 3);
  });

  it("cannot be hidden by a long header", async () => {
    const jpeg = await plain().jpeg({ progressive: true }).toBuffer();
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(20_000, 0xff), jpeg.subarray(2)]);
    await expect(decodeImage(filled)).rejects.toMatchObject({ code: "IMAGE_TOO_COSTLY" });
  });

  it("is bounded: a picture that alone would need more is refused by its header, as 413", async () => {
    const image = emptyPng({ sidePx: 9990, colourType: 6, bits: 16, isInterlaced: true });
    expect(decodingBytes(image)).toBeGreaterThan(decodingLimitBytes);
    await expect(decodeImage(image)).rejects.toMatchObject({ code: "IMAGE_TOO_COSTLY", status: 413 });
  });
});
