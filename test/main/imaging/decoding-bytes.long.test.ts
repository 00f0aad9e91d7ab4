import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { decodingBytes, pictureForm } from "../../../main/imaging/decoding/decoding-bytes.ts";
import { temporaryDataDir } from "../store/sample-store.ts";
import { sidePx, wholePictures } from "./whole-pictures.ts";

const folder = temporaryDataDir();
afterAll(() => folder.remove());

/** Lowest of three peaks, since V8's memory varies and adds to that of decoding. */
const lowestPeak = (...args: Parameters<typeof measuredBytes>): number =>
  Math.min(measuredBytes(...args), measuredBytes(...args), measuredBytes(...args));

/** Increase of peak resident memory by decoding in a separate process, as a film or at full size [bytes]. */
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

describe.skipIf(process.platform !== "linux")("the peak of memory while decoding (Linux only)", () => {
  it.each(wholePictures)("is below the estimate from the header of %s", async (_, make) => {
    const image = await make(sidePx).toBuffer();
    expect(lowestPeak(image)).toBeLessThan(decodingBytes(pictureForm(image)));
  });

  it("is below the estimate for a rotated picture at full size", async () => {
    // Large enough to exceed the memory left from decoding the film.
    const large = sharp({ create: { width: 6000, height: 6000, channels: 3, background: "#445566" } });
    const image = await large.withMetadata({ orientation: 6 }).png({ compressionLevel: 1 }).toBuffer();
    expect(lowestPeak(image, "full")).toBeLessThan(decodingBytes(pictureForm(image), 3, true));
  });
});
