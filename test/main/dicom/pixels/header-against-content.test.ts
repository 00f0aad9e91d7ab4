import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { shownSamples } from "../../../../main/imaging/sample-window.ts";
import { bytes, sequence, text, us, type Written } from "../dicom-writer.ts";
import { hasTool, madeBy } from "./dicom-tools.ts";
import {
  encapsulatedFile,
  greymapOf,
  largestDifference,
  nativeFile,
  phantomFilm,
  wordsOf,
  type Phantom,
} from "./phantom-film.ts";
import { startedCodecs } from "../../../fixtures/dicom/started-codecs.ts";

const codecs = await startedCodecs();
const [film, signedFilm] = [await phantomFilm(12), await phantomFilm(12, true)];

async function shown(file: Buffer): Promise<number[]> {
  const { samples, window } = await readFrame(file, 0, async () => codecs);
  return [...shownSamples(samples, window)];
}

const tenBits = [us("00280101", 10), us("00280102", 9)];
const ss = (tag: string, ...values: number[]): Written => ({
  tag,
  vr: "SS",
  value: Buffer.from(Int16Array.from(values).buffer),
});

function withBits(file: Buffer, stored: number): Buffer {
  const changed = Buffer.from(file);
  for (const [element, value] of [
    [0x0101, stored],
    [0x0102, stored - 1],
  ] as const) {
    const at = changed.indexOf(Buffer.from([0x28, 0, element & 255, element >> 8, 0x55, 0x53]));
    changed.writeUInt16LE(value, at + 8);
  }
  return changed;
}

describe("words that exceed Bits Stored", () => {
  test("do not wrap in uncompressed pixels", async () => {
    expect(await shown(nativeFile(film, tenBits))).toEqual(await shown(nativeFile(film)));
  });
  test("do not wrap in uncompressed signed pixels", async () => {
    const words = Buffer.from(Int16Array.from(signedFilm.values).buffer);
    expect(await shown(nativeFile(signedFilm, tenBits, words))).toEqual(await shown(nativeFile(signedFilm)));
  });
  test("do not wrap if bits above a picture of fewer bits are set", async () => {
    const narrow = await phantomFilm(10);
    const mixed = wordsOf(narrow);
    for (let at = 0; at < mixed.length; at += 14) mixed.writeUInt16LE(mixed.readUInt16LE(at) | 0x8000, at);
    expect(await shown(nativeFile(narrow, [], mixed))).toEqual(await shown(nativeFile(narrow)));
  });
  test("do not wrap if values are shifted up in their words, whatever High Bit states", async () => {
    const moved = Buffer.from(Uint16Array.from(film.values, (value) => value << 4).buffer);
    for (const highBit of [11, 13, 15])
      expect(await shown(nativeFile(film, [us("00280102", highBit)], moved))).toEqual(await shown(nativeFile(film)));
  });
  test.skipIf(!hasTool("dcmcjpeg")).each([["+el"], ["+ee", "+q", "60"]])(
    "do not wrap in a JPEG: %s",
    async (...args) => {
      const file = madeBy("dcmcjpeg", [...args, "IN", "OUT"], nativeFile(film));
      expect(await shown(withBits(file, 10))).toEqual(await shown(file));
    },
  );
});

describe.skipIf(!hasTool("opj_compress"))("the sign of a JPEG 2000 codestream", () => {
  const syntax = "1.2.840.10008.1.2.4.90";
  test("overrides a file that declares an unsigned picture as signed", async () => {
    const coded = madeBy("opj_compress", ["-i", "IN", "-o", "OUT"], greymapOf(film), { in: ".pgm", out: ".j2k" });
    const file = (sign: number) => encapsulatedFile(film, syntax, [], [coded], [us("00280103", sign)]);
    expect(await shown(file(1))).toEqual(await shown(file(0)));
  });
  test("overrides a file that declares a signed picture as unsigned", async () => {
    const raw = Buffer.from(Int16Array.from(signedFilm.values).buffer).swap16();
    const form = `${signedFilm.widthPx},${signedFilm.heightPx},1,12,s`;
    const coded = madeBy("opj_compress", ["-i", "IN", "-o", "OUT", "-F", form], raw, { in: ".raw", out: ".j2k" });
    const file = (sign: number) => encapsulatedFile(signedFilm, syntax, [], [coded], [us("00280103", sign)]);
    expect(await shown(file(0))).toEqual(await shown(file(1)));
  });
});

describe("padding with the other sign", () => {
  const padded = (value: number) => Int32Array.from(film.values, (stored, index) => (index % 3 === 0 ? value : stored));
  test("is recognised in unsigned pixels", async () => {
    const white: Phantom = { ...film, bitsStored: 16, values: padded(65_535) };
    const extra = [us("00280101", 16), us("00280102", 15)];
    const right = await shown(nativeFile(white, [...extra, us("00280120", 65_535)]));
    expect(await shown(nativeFile(white, [...extra, ss("00280120", -1)]))).toEqual(right);
    expect(await shown(nativeFile(white, [...extra, text("00280120", "IS", "-1")]))).toEqual(right);
    expect(right[0]).toBe(0);
  });
  test("is recognised in signed pixels", async () => {
    const dark: Phantom = { ...signedFilm, values: padded(-2000) };
    const right = await shown(nativeFile(dark, [ss("00280120", -2000)]));
    for (const written of [us("00280120", 63_536), us("00280120", 2096), text("00280120", "DS", "-2000,0")])
      expect(await shown(nativeFile(dark, [written]))).toEqual(right);
  });
});

describe("a VOI table with a wrong descriptor", () => {
  const rooted = Uint16Array.from({ length: 4096 }, (_, index) => Math.round(4095 * Math.sqrt(index / 4095)));
  const table = (descriptor: Written, data: Uint8Array = Buffer.from(rooted.buffer)) =>
    sequence("00283010", [descriptor, bytes("00283006", "OW", data)]);
  const right = () => shown(nativeFile(film, [table(us("00283002", 4096, 0, 12))]));
  test.each([16, 14, 10, 8, 0, 32])("is used with wrong bits: %i", async (bits) => {
    expect(
      largestDifference(await shown(nativeFile(film, [table(us("00283002", 4096, 0, bits))])), await right()),
    ).toBe(0);
  });
  test("is used if it states fewer entries than the data", async () => {
    expect(await shown(nativeFile(film, [table(us("00283002", 256, 0, 12))]))).toEqual(await right());
  });
  test("is ignored if its data are truncated", async () => {
    const short = Buffer.from(rooted.buffer).subarray(0, 6000);
    expect(await shown(nativeFile(film, [table(us("00283002", 4096, 0, 12), short)]))).toEqual(
      await shown(nativeFile(film)),
    );
  });
  test.each([
    [40_000, false, -25_536, us],
    [40_000, false, -25_536, ss],
    [-30_000, true, 35_536, us],
  ] as const)("is used if its first value %i has the other sign", async (first, isSigned, written, write) => {
    const moved: Phantom = { ...film, bitsStored: 16, isSigned, values: film.values.map((value) => value + first) };
    const of = (descriptor: Written) => shown(nativeFile(moved, [table(descriptor)]));
    const plain = first < 0 ? ss("00283002", 4096, first, 12) : us("00283002", 4096, first, 12);
    expect(await of(write("00283002", 4096, written & 0xffff, 12))).toEqual(await of(plain));
    expect(await of(plain)).toEqual(await right());
  });
  test("keeps a negative first value of rescaled pixels", async () => {
    const rescaled = [text("00281052", "DS", "-1024"), text("00281053", "DS", "1")];
    const shifted = await shown(nativeFile(film, [...rescaled, table(ss("00283002", 4096, -1024, 12))]));
    expect(shifted).toEqual(await right());
  });
});

test.each([
  ["jpeg-2000", "1.2.840.10008.1.2.4.90"],
  ["htj2k", "1.2.840.10008.1.2.4.201"],
])("reads a %s codestream in a file that states JPEG", async (name, syntax) => {
  const file = readFileSync(new URL(`../../../fixtures/dicom/${name}.dcm`, import.meta.url));
  const jpeg = "1.2.840.10008.1.2.4.70".padEnd(syntax.length, "\0");
  const other = Buffer.from(file.toString("latin1").replace(syntax, jpeg), "latin1");
  expect(other.equals(file)).toBe(false);
  expect(await shown(other)).toEqual(await shown(file));
});

test("reads a photometric interpretation in lower case", async () => {
  const right = await shown(nativeFile(film, [text("00280004", "CS", "MONOCHROME1")]));
  expect(await shown(nativeFile(film, [text("00280004", "CS", "Monochrome1")]))).toEqual(right);
});

describe("a window that hides the film", () => {
  const windows = [
    ["0", "1"],
    ["100000", "10"],
    ["-5000", "100"],
  ] as const;
  test.each(windows)("is replaced by the film's range: centre %s, width %s", async (centre, width) => {
    const window = [text("00281050", "DS", centre), text("00281051", "DS", width)];
    const right = await shown(nativeFile(film));
    expect(await shown(nativeFile(film, window))).toEqual(right);
    const sigmoid = [...window, text("00281056", "CS", "SIGMOID")];
    expect(await shown(nativeFile(film, sigmoid))).toEqual(right);
    for (const file of [nativeFile(film, window), nativeFile(film, sigmoid)])
      expect((await readFrame(file, 0, async () => codecs)).isWindowIgnored).toBe(true);
    expect((await readFrame(nativeFile(film), 0, async () => codecs)).isWindowIgnored).toBe(false);
  });
  test("is kept for a picture of two values, or if it lies between the film's values", async () => {
    const black = { ...film, bitsStored: 8, values: film.values.map((value) => (value > 2000 ? 255 : 0)) };
    const one = [text("00281050", "DS", "128"), text("00281051", "DS", "1")];
    const kept = (width: number) => ({ window: { width }, isWindowIgnored: false });
    expect(await readFrame(nativeFile(black, one), 0, async () => codecs)).toMatchObject(kept(0.5));
    const narrow = [text("00281050", "DS", "2048"), text("00281051", "DS", "1")];
    expect(await readFrame(nativeFile(film, narrow), 0, async () => codecs)).toMatchObject(kept(0.5));
  });
});
