import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { compileCodecs, startCodecs, type Codecs } from "../../../../main/dicom/pixels/coded/codec-module.ts";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { bytes, text, us, type Written } from "../dicom-writer.ts";
import { hasTool, madeBy, samplesOfPortableMap } from "./dicom-tools.ts";
import { largestDifference, nativeFile, type Phantom, phantomFilm } from "./phantom-film.ts";

let codecs: Codecs;
let size: Phantom;
let colours: Buffer;

beforeAll(async () => {
  codecs = await startCodecs(await compileCodecs());
  size = await phantomFilm(8, false, { widthPx: 64, heightPx: 48 });
  colours = await sharp("test/fixtures/imaging/cmyk.jpg")
    .resize(64, 48, { fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
});

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
  test("red, green, blue, pixel by pixel and plane by plane", async () => {
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

  test.skipIf(!hasTool("dcmcrle"))("dcmcrle of planes", async () => {
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

  test.skipIf(!hasTool("dcmj2pnm"))("luma and colour differences, whole and at half width", async () => {
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
      // DCMTK cuts each of the formula's three terms to whole numbers, here the sum is rounded.
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

  test.skipIf(!hasTool("dcmconv"))(
    "a palette that begins below zero, also where no representation is named",
    async () => {
      const named = await read(palette(-100));
      expect(new Set(named).size).toBeGreaterThan(100);
      expect(await read(madeBy("dcmconv", ["+ti", "IN", "OUT"], palette(-100)))).toEqual(named);
    },
  );

  test.skipIf(!hasTool("dcmj2pnm"))("a palette", async () => {
    const file = palette(10);
    expect(await read(file)).toEqual(
      samplesOfPortableMap(madeBy("dcmj2pnm", ["+op", "IN", "OUT"], file, { in: ".dcm", out: ".ppm" })),
    );
  });

  test("a picture of greys is a grey film", async () => {
    const greys = Buffer.from(Array.from(size.values, (value) => [value, value, value]).flat());
    const { colour, samples } = await readFrame(nativeFile(size, ofThree("RGB"), greys), 0, async () => codecs);
    expect([colour, [...samples]]).toEqual([null, [...size.values]]);
  });
});
