import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { bytes, text, us, type Written } from "../dicom-writer.ts";
import { hasTool, madeBy, samplesOfPortableMap } from "./dicom-tools.ts";
import { encapsulatedFile, largestDifference, nativeFile, phantomFilm } from "./phantom-film.ts";
import { startedCodecs } from "../../../fixtures/dicom/started-codecs.ts";

const codecs = await startedCodecs();
const size = await phantomFilm(8, false, { widthPx: 64, heightPx: 48 });
const colours = await sharp("test/fixtures/imaging/cmyk.jpg")
  .resize(64, 48, { fit: "fill" })
  .toColourspace("srgb")
  .raw()
  .toBuffer();

const ofThree = (photometric: string, planar = 0): Written[] => [
  us("00280002", 3),
  text("00280004", "CS", photometric),
  us("00280006", planar),
];
const rgbFile = () => nativeFile(size, ofThree("RGB"), colours);

async function read(file: Buffer): Promise<number[]> {
  const { colour } = await readFrame(file, 0, async () => codecs);
  return [...(colour ?? [])];
}

describe("colours", () => {
  test("are read pixel by pixel and plane by plane", async () => {
    const planes = Buffer.concat(
      [0, 1, 2].map((channel) => Buffer.from(colours.filter((_, index) => index % 3 === channel))),
    );
    expect(await read(rgbFile())).toEqual([...colours]);
    expect(await read(nativeFile(size, ofThree("RGB", 1), planes))).toEqual([...colours]);
  });

  const lossless: readonly [tool: string, args: readonly string[]][] = [
    ["dcmcrle", []],
    ["dcmcjpeg", ["+e1"]],
    ["dcmcjpls", ["+il"]],
    ["dcmcjpls", ["+is"]],
    ["dcmcjpls", ["+in"]],
    ["gdcmconv", ["--j2k"]],
    ["dcmconv", ["+tb"]],
  ];
  for (const [tool, args] of lossless) {
    test.skipIf(!hasTool(tool))(`${tool} ${args.join(" ")}`, async () => {
      expect(largestDifference(await read(madeBy(tool, [...args, "IN", "OUT"], rgbFile())), [...colours])).toBe(0);
    });
  }

  test.skipIf(!hasTool("dcmcrle"))("are read from planar pixels that dcmcrle has compressed", async () => {
    const planes = Buffer.concat(
      [0, 1, 2].map((channel) => Buffer.from(colours.filter((_, index) => index % 3 === channel))),
    );
    expect(
      largestDifference(await read(madeBy("dcmcrle", ["IN", "OUT"], nativeFile(size, ofThree("RGB", 1), planes))), [
        ...colours,
      ]),
    ).toBe(0);
  });

  const lossy = [
    ["+eb", "+s4"],
    ["+eb", "+s2"],
    ["+eb", "+cr"],
    ["+ee", "+s4"],
  ] as const;
  for (const args of lossy) {
    test.skipIf(!hasTool("dcmcjpeg", "dcmj2pnm"))(`lossy JPEG, dcmcjpeg ${args.join(" ")}`, async () => {
      const file = madeBy("dcmcjpeg", [...args, "IN", "OUT"], rgbFile());
      const judged = samplesOfPortableMap(madeBy("dcmj2pnm", ["+op", "IN", "OUT"], file, { in: ".dcm", out: ".ppm" }));
      expect(largestDifference(await read(file), judged)).toBeLessThanOrEqual(2);
    });
  }

  test.skipIf(!hasTool("dcmj2pnm"))("are read from luma and colour differences, at full and half width", async () => {
    const halves = Buffer.from(
      Array.from({ length: (64 * 48) / 2 }, (_, pair) => [
        colours[6 * pair],
        colours[6 * pair + 3],
        colours[6 * pair + 1],
        colours[6 * pair + 2],
      ]).flat() as number[],
    );
    for (const [photometric, pixels] of [
      ["YBR_FULL", colours],
      ["YBR_FULL_422", halves],
    ] as const) {
      const file = nativeFile(size, ofThree(photometric), pixels);
      const judged = samplesOfPortableMap(madeBy("dcmj2pnm", ["+op", "IN", "OUT"], file, { in: ".dcm", out: ".ppm" }));
      // DCMTK truncates each of the formula's three terms to an integer; here the sum is rounded.
      expect(largestDifference(await read(file), judged)).toBeLessThanOrEqual(2);
    }
  });

  const palette = (first: number) => {
    const entry = (channel: number) =>
      Buffer.from(Uint16Array.from({ length: 200 }, (_, index) => ((index * (7 + 4 * channel)) % 256) * 257).buffer);
    const tables = [0, 1, 2].flatMap((channel) => [
      { ...us(`0028110${channel + 1}`, 200, first & 0xffff, 16), vr: first < 0 ? "SS" : "US" },
      bytes(`0028120${channel + 1}`, "OW", entry(channel)),
    ]);
    const isSigned = us("00280103", first < 0 ? 1 : 0);
    return nativeFile(size, [text("00280004", "CS", "PALETTE COLOR"), isSigned, ...tables]);
  };

  test.skipIf(!hasTool("dcmconv"))("are read by a palette that begins below zero, also in implicit VR", async () => {
    const named = await read(palette(-100));
    expect(new Set(named).size).toBeGreaterThan(100);
    expect(await read(madeBy("dcmconv", ["+ti", "IN", "OUT"], palette(-100)))).toEqual(named);
  });

  test.skipIf(!hasTool("dcmj2pnm"))("are read by a palette", async () => {
    const file = palette(10);
    expect(await read(file)).toEqual(
      samplesOfPortableMap(madeBy("dcmj2pnm", ["+op", "IN", "OUT"], file, { in: ".dcm", out: ".ppm" })),
    );
  });

  test("are dropped if all are grey", async () => {
    const greys = Buffer.from(Array.from(size.values, (value) => [value, value, value]).flat());
    const { colour, samples } = await readFrame(nativeFile(size, ofThree("RGB"), greys), 0, async () => codecs);
    expect([colour, [...samples]]).toEqual([null, [...size.values]]);
  });
});

describe("colours with a wrong photometric interpretation", () => {
  const named = (file: Buffer, photometric: string) => {
    const at = file.indexOf(Buffer.from([0x28, 0, 4, 0, 0x43, 0x53]));
    const { value } = text("00280004", "CS", photometric);
    const length = Buffer.from(Uint16Array.of(value.length).buffer);
    const end = at + 8 + file.readUInt16LE(at + 6);
    return Buffer.concat([file.subarray(0, at + 6), length, value, file.subarray(end)]);
  };
  test.skipIf(!hasTool("dcmcjpeg")).each([
    ["a JPEG of YCbCr", ["+eb", "+q", "98", "+s4"], "RGB"],
    ["a JPEG of RGB", ["+eb", "+q", "98", "+cr"], "YBR_FULL_422"],
    ["a lossless JPEG of RGB", ["+e1"], "YBR_FULL_422"],
  ])("are read by the markers of the picture: %s", async (_name, args, wrong) => {
    const file = madeBy("dcmcjpeg", [...args, "IN", "OUT"], rgbFile());
    expect(await read(named(file, wrong))).toEqual(await read(file));
    expect(largestDifference(await read(file), [...colours])).toBeLessThan(40);
  });
  test("are read at full width if the bytes suffice", async () => {
    const file = (photometric: string) => nativeFile(size, ofThree(photometric), colours);
    expect(await read(file("YBR_FULL_422"))).toEqual(await read(file("YBR_FULL")));
  });
  test("are grey for a grey film in a JPEG without markers, and in uncompressed pixels", async () => {
    const { values, widthPx, heightPx } = size;
    const grey = Buffer.from([...values].flatMap((value) => [value, value, value]));
    const ybr = Buffer.from([...values].flatMap((value) => [value, 128, 128]));
    const raw = { width: widthPx, height: heightPx, channels: 3 } as const;
    const jpeg = await sharp(grey, { raw }).jpeg({ quality: 98, chromaSubsampling: "4:4:4" }).toBuffer();
    const greyOf = async (file: Buffer) => {
      const { colour, samples } = await readFrame(file, 0, async () => codecs);
      expect(colour).toBeNull();
      return [...samples];
    };
    for (const photometric of ["RGB", "YBR_FULL"]) {
      expect(await greyOf(nativeFile(size, ofThree(photometric), grey))).toEqual([...values]);
      expect(await greyOf(nativeFile(size, ofThree(photometric), ybr))).toEqual([...values]);
      const coded = encapsulatedFile(size, "1.2.840.10008.1.2.4.50", [], [jpeg], ofThree(photometric));
      expect(largestDifference(await greyOf(coded), [...values])).toBeLessThan(8);
    }
  });
});
