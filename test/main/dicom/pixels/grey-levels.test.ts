import { describe, expect, test } from "vitest";
import { shownSamples } from "../../../../main/imaging/sample-window.ts";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { bytes, sequence, text, us, type Written } from "../dicom-writer.ts";
import { hasTool, madeBy, samplesOfPortableMap } from "./dicom-tools.ts";
import { largestDifference, nativeFile, phantomFilm, pictureElements, wordsOf } from "./phantom-film.ts";

const hasJudge = hasTool("dcmj2pnm");
const noCodec = () => Promise.reject(new Error("no codec is needed for plain pictures"));
const [film, signedFilm] = [await phantomFilm(12), await phantomFilm(12, true)];

const decimal = (tag: string, value: string) => text(tag, "DS", value);
const window = (centre: number, width: number, shape?: string) => [
  decimal("00281050", `${centre}`),
  decimal("00281051", `${width}`),
  ...(shape ? [text("00281056", "CS", shape)] : []),
];
const table = (tag: string, first: number, entries: Uint16Array) => {
  const descriptor = us("00283002", entries.length & 0xffff, first & 0xffff, 16);
  const item = [
    first < 0 ? { ...descriptor, vr: "SS" } : descriptor,
    ...(tag === "00283000" ? [text("00283004", "LO", "US")] : []),
    bytes("00283006", "OW", Buffer.from(entries.buffer)),
  ];
  return sequence(tag, item);
};
const rooted = Uint16Array.from({ length: 4096 }, (_, index) => Math.round(65_535 * Math.sqrt(index / 4095)));
const squared = Uint16Array.from({ length: 4096 }, (_, index) => Math.round(65_535 * (index / 4095) ** 2));

async function shown(file: Buffer): Promise<number[]> {
  const { samples, window } = await readFrame(file, 0, noCodec);
  return [...shownSamples(samples, window)];
}

describe.skipIf(!hasJudge)("displayed grey levels, compared with dcmj2pnm", () => {
  const cases: readonly [name: string, isSigned: boolean, extra: readonly Written[], judge: readonly string[]][] = [
    ["wide window beyond the range", false, window(2000, 9000), ["+Wi", "1"]],
    ["window of one value", false, window(1500, 1), ["+Wi", "1"]],
    ["VOI table that begins late", false, [table("00283010", 700, rooted.slice(0, 2000))], ["+Wl", "1"]],
    [
      "modality table, then VOI table",
      false,
      [
        table(
          "00283000",
          0,
          squared.map((value) => value >> 4),
        ),
        table("00283010", 0, rooted),
      ],
      ["+Wl", "1"],
    ],
    [
      "presentation shape INVERSE",
      false,
      [...window(1500, 900), text("20500020", "CS", "INVERSE")],
      ["+Wi", "1", "+Piv"],
    ],
  ];
  test.each(cases)("%s", async (_name, isSigned, extra, judge) => {
    const file = nativeFile(isSigned ? signedFilm : film, extra);
    const judged = samplesOfPortableMap(
      madeBy("dcmj2pnm", [...judge, "+op", "IN", "OUT"], file, { in: ".dcm", out: ".pgm" }),
    );
    expect(largestDifference(await shown(file), judged)).toBeLessThanOrEqual(1);
    expect(new Set(judged).size).toBeGreaterThan(1);
  });
});

describe("readFrame", () => {
  test("neither shifts nor narrows a linear exact window", async () => {
    const { window: own, value } = await readFrame(nativeFile(film, window(1500, 900, "LINEAR_EXACT")), 0, noCodec);
    expect([own, value]).toEqual([
      { centre: 1500, width: 900 },
      { slope: 1, intercept: 0, unit: null },
    ]);
  });
  test("keeps the depth of samples and returns the line to the modality's values", async () => {
    const { samples, bits, value } = await readFrame(
      nativeFile(signedFilm, [decimal("00281052", "10"), decimal("00281053", "-2"), text("00281054", "LO", "HU")]),
      0,
      noCodec,
    );
    expect([bits, value]).toEqual([12, { slope: 2, intercept: -2 * 2047 + 10, unit: "HU" }]);
    expect([...samples].map((sample) => sample * (value?.slope ?? 0) + (value?.intercept ?? 0))).toEqual(
      [...signedFilm.values].map((stored) => -2 * stored + 10),
    );
  });
  test("shows padding black, also in MONOCHROME1, and excludes it from the window", async () => {
    const padded = {
      ...film,
      values: film.values.map((value, index) => (index % 5 === 0 ? 4000 + (index % 3) : value >> 1)),
    };
    for (const photometric of ["MONOCHROME2", "MONOCHROME1"]) {
      const {
        samples,
        bits,
        window: own,
      } = await readFrame(
        nativeFile(padded, [text("00280004", "CS", photometric), us("00280120", 4000), us("00280121", 4002)]),
        0,
        noCodec,
      );
      expect([...samples].filter((_, index) => index % 5 === 0).every((sample) => sample === 0)).toBe(true);
      expect([bits, own.centre + own.width / 2 <= 2047]).toEqual([11, true]);
    }
  });
  test("reads values above an overlay in the same word", async () => {
    const words = Buffer.from(Uint16Array.from(film.values, (value, index) => (value << 4) | (index & 15)).buffer);
    const { samples, value } = await readFrame(nativeFile(film, [us("00280102", 15)], words), 0, noCodec);
    expect([[...samples], value]).toEqual([[...film.values], { slope: 1, intercept: 0, unit: null }]);
  });
  test.skipIf(!hasTool("dcmconv"))("reads tables that begin below zero, also in implicit VR", async () => {
    for (const tag of ["00283000", "00283010"]) {
      const late = table(tag, -700, rooted.slice(0, 2000));
      const named = nativeFile(signedFilm, [late]);
      const unnamed = madeBy("dcmconv", ["+ti", "IN", "OUT"], named);
      const [one, other] = [await readFrame(named, 0, noCodec), await readFrame(unnamed, 0, noCodec)];
      expect(new Set(one.samples).size).toBeGreaterThan(1000);
      expect([tag, other.samples, other.measured]).toEqual([tag, one.samples, one.measured]);
    }
  });
  test("reads numbers that a gateway has written as UN", async () => {
    const unknown = ["00280010", "00280011", "00280100", "00280101", "00280102", "00280103"].map((tag) => {
      const said = pictureElements(film).find((element) => element.tag === tag)!;
      return { ...said, vr: "UN" };
    });
    const { samples } = await readFrame(nativeFile(film, unknown), 0, noCodec);
    expect([...samples]).toEqual([...film.values]);
  });
  test.skipIf(!hasJudge)("swaps bytes of big-endian words, also in a frame of odd size", async () => {
    const plain = await phantomFilm(8);
    const frames = Buffer.concat([wordsOf(plain), wordsOf(plain).reverse()]);
    const little = nativeFile(plain, [text("00280008", "IS", "2")], frames).toString("latin1");
    const inWords = Buffer.from(little.replace("\xe0\x7f\x10\x00OB", "\xe0\x7f\x10\x00OW"), "latin1");
    const big = madeBy("dcmconv", ["+tb", "IN", "OUT"], inWords, { in: ".dcm", out: ".dcm" });
    expect([...(await readFrame(big, 0, noCodec)).samples]).toEqual([...plain.values]);
    expect([...(await readFrame(big, 1, noCodec)).samples]).toEqual([...plain.values].reverse());
  });
  test("shows an 8-bit film without a window unchanged, and a deeper one between its percentiles", async () => {
    const plain = await phantomFilm(8);
    expect(await shown(nativeFile(plain))).toEqual([...plain.values]);
    const dim = { ...film, values: film.values.map((value, index) => (index === 0 ? 4095 : value >> 3)) };
    const { window: own } = await readFrame(nativeFile(dim), 0, noCodec);
    expect(own.centre + own.width / 2).toBeLessThan(512);
  });
});
