import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage } from "../../../main/imaging/decode-image.ts";
import { plainJpeg } from "../../../main/imaging/decoding/plain-jpeg.ts";

const film = sharp(readFileSync("test/fixtures/films/dog-01.jpg")).resize(300);
const plain = await film.clone().jpeg().toBuffer();
const colours = await film.clone().toColourspace("srgb").jpeg({ chromaSubsampling: "4:4:4" }).toBuffer();
const progressive = await film.clone().jpeg({ progressive: true }).toBuffer();

const scanAt = (bytes: Buffer) => bytes.indexOf(Buffer.from([0xff, 0xda]));
const behindFirstSegment = (bytes: Buffer) => 4 + bytes.readUInt16BE(4);

function inserted(bytes: Buffer, at: number, more: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

function changed(bytes: Buffer, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

const oddities: readonly [name: string, odd: (bytes: Buffer) => Buffer][] = [
  [
    "spectral bounds of zero",
    (bytes) => changed(bytes, scanAt(bytes) + 2 + bytes.readUInt16BE(scanAt(bytes) + 2) - 3, 0, 0, 0),
  ],
  ["JFIF 0.02", (bytes) => inserted(bytes, 2, Buffer.from("ffe000104a46494600000200000100010000", "hex"))],
  ["JFIF 9.9", (bytes) => inserted(bytes, 2, Buffer.from("ffe000104a46494600090900000100010000", "hex"))],
  ["zeros between segments", (bytes) => inserted(bytes, behindFirstSegment(bytes), Buffer.alloc(7))],
  ["fill bytes between segments", (bytes) => inserted(bytes, behindFirstSegment(bytes), Buffer.alloc(5, 0xff))],
  ["text between segments", (bytes) => inserted(bytes, scanAt(bytes), Buffer.from("viewer"))],
  ["bytes after its end", (bytes) => Buffer.concat([bytes, Buffer.from([0xff, 0xd8, 1, 2])])],
  [
    "an unknown transform of Adobe",
    (bytes) => inserted(bytes, behindFirstSegment(bytes), Buffer.from("ffee000e41646f626500640000000003", "hex")),
  ],
];

describe("a JPEG with an unusual header", () => {
  it.each(oddities)("is decoded as without it: %s", async (_, odd) => {
    for (const bytes of [plain, colours]) {
      const { grey, sha256 } = await decodeImage(odd(bytes));
      const right = await decodeImage(bytes);
      expect(Buffer.from(grey).equals(Buffer.from(right.grey))).toBe(true);
      expect(sha256).not.toBe(right.sha256);
    }
  });
  it.each(oddities)("is rejected if truncated: %s", async (_, odd) => {
    for (const bytes of [plain, progressive]) {
      const cut = odd(bytes).subarray(0, (bytes.length * 2) / 3);
      await expect(decodeImage(cut)).rejects.toMatchObject({ code: "INVALID_IMAGE" });
    }
  });
  it.each(oddities)("is rejected with a damaged scan: %s", async (_, odd) => {
    const bytes = odd(plain);
    const at = scanAt(bytes) + Math.round((bytes.length - scanAt(bytes)) / 2);
    await expect(decodeImage(changed(bytes, at, 0xff, 0x42, 0xff, 0x42))).rejects.toMatchObject({
      code: "INVALID_IMAGE",
    });
  });
});

it("does not change a progressive JPEG and other files", () => {
  for (const bytes of [progressive, Buffer.from("\x89PNG\xff\xd8\xff\xda\0\x04ab"), Buffer.alloc(0)])
    expect(plainJpeg(bytes)).toBe(bytes);
});

describe("the end of a JPEG", () => {
  const end = Buffer.from([0xff, 0xd9]);
  const greyOf = async (bytes: Buffer) => Buffer.from((await decodeImage(bytes)).grey);
  const forms = [
    ["of one scan", () => plain],
    ["in colour", () => colours],
    ["of several scans", () => progressive],
  ] as const;
  it.each(forms)("may lack its marker if all samples are present: %s", async (_, of) => {
    for (const bare of [of().subarray(0, -2), of().subarray(0, -1), Buffer.concat([of(), Buffer.alloc(40, 7)])])
      expect((await greyOf(bare)).equals(await greyOf(of()))).toBe(true);
  });
  it.each(forms)("is rejected without the last samples, with or without a marker: %s", async (_, of) => {
    for (const cut of [16, 40, 400])
      for (const marked of [Buffer.alloc(0), end, Buffer.concat([end, of()])])
        await expect(decodeImage(Buffer.concat([of().subarray(0, -2 - cut), marked]))).rejects.toMatchObject({
          code: "INVALID_IMAGE",
        });
  });
  it("is rejected without the last progressive scans, with or without a marker", async () => {
    const scans = [...progressive.keys()].filter((at) => progressive[at] === 0xff && progressive[at + 1] === 0xda);
    const tables = Buffer.from([0xff, 0xc4]);
    expect(scans.length).toBeGreaterThan(3);
    for (const scan of scans.slice(1))
      for (const marker of [end, Buffer.alloc(0)]) {
        const behindScan = progressive.subarray(0, scan);
        const beforeTables = behindScan.subarray(0, behindScan.lastIndexOf(tables));
        await expect(decodeImage(Buffer.concat([beforeTables, marker]))).rejects.toMatchObject({
          code: "INVALID_IMAGE",
        });
      }
  });
});
