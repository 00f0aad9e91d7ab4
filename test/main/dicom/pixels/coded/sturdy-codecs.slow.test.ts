import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDicomFile } from "../../../../../main/dicom/dicom-file.ts";
import { createDicomReader } from "../../../../../main/dicom/dicom-reader.ts";
import { hasWholeForm } from "../../../../../main/dicom/pixels/coded/coded-form.ts";
import { startSturdyCodecs } from "../../../../../main/dicom/pixels/coded/sturdy-codecs.ts";
import { hasTool, madeBy } from "../dicom-tools.ts";
import { encapsulatedFile, nativeFile, phantomFilm, wordsOf, type Phantom } from "../phantom-film.ts";
import { compiledCodecs } from "../../../../fixtures/dicom/started-codecs.ts";
import { seededRandom } from "../../../../fixtures/seeded-random.ts";

const jpegLs = "1.2.840.10008.1.2.4.80";
const hasDcmtk = hasTool("dcmcjpls");

const module = await compiledCodecs();
const sturdy = await startSturdyCodecs(module);
const films: Phantom[] = [];
for (const [bits, isSigned] of [[8], [12], [16], [16, true]] as const)
  films.push(await phantomFilm(bits, isSigned, { widthPx: 64, heightPx: 64 }));

const marker = (...bytes: number[]) => Buffer.from([0xff, ...bytes]);
const indexOf = (stream: Buffer, code: number) => stream.indexOf(marker(code));
const withByte = (stream: Buffer, at: number, value: number) => {
  const changed = Buffer.from(stream);
  changed[at] = value;
  return changed;
};

const streams = new Map<string, Buffer>();
function compressed(film: Phantom, ...args: string[]): Buffer {
  const name = [films.indexOf(film), ...args].join();
  const known = streams.get(name);
  if (known) return known;
  const file = madeBy("dcmcjpls", [...args, "IN", "OUT"], nativeFile(film));
  const start = file.indexOf(marker(0xd8, 0xff));
  const stream = Buffer.from(file.subarray(start, file.lastIndexOf(marker(0xd9)) + 2));
  streams.set(name, stream);
  return stream;
}

function frameOf({ widthPx, heightPx, bitsStored, isSigned }: Phantom, bytes: Uint8Array) {
  const bitsAllocated = bitsStored > 8 ? (16 as const) : (8 as const);
  return {
    coding: "DecodeJpegLs",
    bytes,
    widthPx,
    heightPx,
    samplesPerPixel: 1,
    bitsAllocated,
    bitsStored,
    isSigned,
  } as const;
}

describe.skipIf(!hasDcmtk)("a JPEG-LS picture of DCMTK is read exactly", () => {
  test.each(["", "+pc", "+rs 3", "+rs 255", "+t1 2 +t2 3 +t3 4", "+pz", "+iv"])(
    "with the options %j",
    async (options) => {
      for (const film of films) {
        const stream = compressed(film, ...options.split(" ").filter(Boolean));
        expect(Buffer.from(await sturdy.decode(frameOf(film, stream))).equals(wordsOf(film))).toBe(true);
      }
    },
  );
});

const codeOf = (isFormWhole: boolean) => (isFormWhole ? "UNSUPPORTED_DICOM" : "INVALID_DICOM");

describe.skipIf(!hasDcmtk)("an unreadable picture", () => {
  const bytesOf = (film: Phantom) => compressed(film);
  const cases: readonly [name: string, change: (stream: Buffer) => Buffer, isFormWhole: boolean][] = [
    ["is damaged if it is truncated", (stream) => stream.subarray(0, stream.length >> 1), false],
    ["is damaged without an end marker", (stream) => stream.subarray(0, -2), false],
    [
      "is damaged if a marker interrupts its lines",
      (stream) => withByte(withByte(stream, 200, 0xff), 201, 0x90),
      false,
    ],
    [
      "may be a limitation of the decoder if its form is complete",
      (stream) => withByte(stream, indexOf(stream, 0xda) + 9, 1),
      true,
    ],
    [
      "may be a limitation of the decoder if it refers to a mapping table",
      (stream) => withByte(stream, indexOf(stream, 0xda) + 6, 1),
      true,
    ],
    // The prebuilt decoder would run for minutes.
    ["is damaged if only a few of its bytes remain", (stream) => stream.subarray(0, 133), false],
  ];
  test.each(cases)("%s", async (_name, change, isFormWhole) => {
    const film = films[1]!;
    const stream = change(bytesOf(film));
    expect(hasWholeForm(stream, "DecodeJpegLs")).toBe(isFormWhole);
    await expect(sturdy.decode(frameOf(film, stream))).rejects.toMatchObject({ code: codeOf(isFormWhole) });
  });

  test("is reported as such, and the failed instance is replaced", async () => {
    const reader = createDicomReader();
    const film = films[1]!;
    try {
      const read = (stream: Buffer) => reader.frame(encapsulatedFile(film, jpegLs, [], [stream]), 0);
      for (let round = 0; round < 2; round += 1) {
        await expect(read(cases[3]![1](bytesOf(film)))).rejects.toMatchObject({
          code: "UNSUPPORTED_DICOM",
          reason: { name: "dicomDecoderGaveUp" },
        });
        await expect(read(cases[0]![1](bytesOf(film)))).rejects.toMatchObject({
          code: "INVALID_DICOM",
          reason: { name: "dicomNotDecoded" },
        });
        expect([...(await read(bytesOf(film))).samples]).toHaveLength(64 * 64);
      }
    } finally {
      await reader.close();
    }
  });
});

test.skipIf(!hasTool("gdcmconv", "dcmcjpeg"))("judges the form of JPEG and JPEG 2000 by their markers", async () => {
  const film = await phantomFilm(8, false, { widthPx: 64, heightPx: 64 });
  const made = [
    ["DecodeJpeg2000", madeBy("gdcmconv", ["--j2k", "IN", "OUT"], nativeFile(film)), marker(0x4f, 0xff, 0x51)],
    ["DecodeJpeg", madeBy("dcmcjpeg", ["+eb", "IN", "OUT"], nativeFile(film)), marker(0xd8, 0xff)],
  ] as const;
  for (const [coding, file, start] of made) {
    const stream = file.subarray(file.indexOf(start), file.lastIndexOf(marker(0xd9)) + 2);
    expect(hasWholeForm(stream, coding)).toBe(true);
    expect(hasWholeForm(stream.subarray(0, stream.length >> 1), coding)).toBe(false);
    expect(hasWholeForm(stream.subarray(0, 30), coding)).toBe(false);
  }
});

const pastSize = 48;

function fixture(name: string, coding: "DecodeJpegLs" | "DecodeJpeg2000") {
  const file = readFileSync(`test/fixtures/dicom/${name}.dcm`);
  const start = coding === "DecodeJpegLs" ? marker(0xd8, 0xff) : marker(0x4f, 0xff, 0x51);
  const stream = file.subarray(file.indexOf(start), file.lastIndexOf(marker(0xd9)) + 2);
  const dicom = readDicomFile(file);
  const [bitsAllocated, bitsStored] = [dicom.number("00280100") === 16 ? 16 : 8, dicom.number("00280101")!] as const;
  const [widthPx, heightPx] = [dicom.number("00280011")!, dicom.number("00280010")!];
  const sampleBytes = bitsAllocated / 8;
  const form = { coding, widthPx, heightPx, samplesPerPixel: 1, bitsAllocated, bitsStored, isSigned: false } as const;
  return { stream, form, frameBytes: widthPx * heightPx * sampleBytes };
}

test.each([
  ["jpeg-ls", "DecodeJpegLs"],
  ["jpeg-2000", "DecodeJpeg2000"],
] as const)("decodes the intact %s stream after each of thirty damaged ones", async (name, coding) => {
  const { stream, form, frameBytes } = fixture(name, coding);
  const intact = await sturdy.decode({ ...form, bytes: stream });
  expect(intact).toHaveLength(frameBytes);
  const random = seededRandom(7);
  const next = (most: number) => Math.floor(random() * most);
  let refused = 0;
  for (let round = 0; round < 30; round += 1) {
    const damaged = Buffer.from(
      stream.subarray(0, next(2) ? stream.length : pastSize + next(stream.length - pastSize)),
    );
    for (let change = next(4); change > 0; change -= 1) damaged[pastSize + next(damaged.length - pastSize)] = next(256);
    try {
      expect(await sturdy.decode({ ...form, bytes: damaged })).toHaveLength(frameBytes);
    } catch (error) {
      refused += 1;
      expect(error).toMatchObject({ code: codeOf(hasWholeForm(damaged, coding)) });
    }
    expect(Buffer.from(await sturdy.decode({ ...form, bytes: stream })).equals(intact)).toBe(true);
  }
  expect(refused).toBeGreaterThan(5);
  expect(refused).toBeLessThan(30);
});
