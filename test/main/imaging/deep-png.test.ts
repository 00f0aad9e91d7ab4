import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { crc32 } from "node:zlib";
import { decodeImage } from "../../../main/imaging/decode-image.ts";

const size = { width: 300, height: 240 };
const film = sharp(readFileSync("test/fixtures/films/dog-01.jpg"))
  .resize({ ...size, fit: "fill" })
  .toColourspace("b-w");

/** A 16-bit PNG of a film whose samples use fewer bits, starting at a base. */
async function deepPng(bits: number, base = 0, mark = 0): Promise<Buffer> {
  const grey = await film.clone().raw().toBuffer();
  const samples = Uint16Array.from(grey, (value, index) =>
    mark > 0 && index < 20 ? mark : base + Math.round((value / 255) * (2 ** bits - 1)),
  );
  return sharp(samples, { raw: { ...size, channels: 1 } })
    .toColourspace("grey16")
    .png()
    .toBuffer();
}

async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [{ grey: a }, { grey: b }] = [await decodeImage(one), await decodeImage(other)];
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] as number)), 0) / a.length;
}

describe("a 16-bit PNG", () => {
  it.each([9, 10, 12, 14, 15])("that uses %i bits is as bright as one that uses all", async (bits) => {
    expect(await meanDifference(await deepPng(bits), await deepPng(16))).toBeLessThan(1);
  });
  it("that uses only the upper half is spread", async () => {
    const levels = async (png: Buffer) => new Set((await decodeImage(png)).grey).size;
    expect(await levels(await deepPng(12, 32_768))).toBeGreaterThan(0.9 * (await levels(await deepPng(16))));
  });
  it("with a burned-in mark of all bits is not darkened", async () => {
    expect(await meanDifference(await deepPng(12, 0, 65_535), await deepPng(16))).toBeLessThan(1);
  });
  it("keeps its contrast at full size and in colour", async () => {
    const image = await decodeImage(await deepPng(12));
    const { data } = await image.fullColour();
    expect(Math.max(...image.grey.map((value, index) => Math.abs(value - (data[3 * index] as number))))).toBeLessThan(
      2,
    );
  });
  it.each(["IHDR", "IDAT"])("with a wrong checksum of %s is rejected", async (name) => {
    const bytes = await deepPng(12);
    const at = bytes.indexOf(name);
    const length = bytes.readUInt32BE(at - 4);
    expect(bytes.readUInt32BE(at + 4 + length)).toBe(crc32(bytes.subarray(at, at + 4 + length)));
    bytes[at + 4 + length] = (bytes[at + 4 + length] as number) ^ 1;
    await expect(decodeImage(bytes)).rejects.toMatchObject({ code: "INVALID_IMAGE" });
  });
});
