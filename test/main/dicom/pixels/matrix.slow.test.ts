import { describe, expect, test } from "vitest";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { transferSyntaxes } from "../../../../main/dicom/pixels/coded/transfer-syntaxes.ts";
import { hasTool, madeBy, samplesOfPortableMap } from "./dicom-tools.ts";
import {
  encapsulatedFile,
  greymapOf,
  largestDifference,
  nativeFile,
  type Phantom,
  phantomFilm,
} from "./phantom-film.ts";
import { startedCodecs } from "../../../fixtures/dicom/started-codecs.ts";

// All files are compressed by DCMTK, GDCM, OpenJPEG or OpenJPH; lossy ones are compared with the output of these tools'
// decoders.

const codecs = await startedCodecs();
const films: Readonly<Record<string, Phantom>> = {
  "16": await phantomFilm(16),
  "12": await phantomFilm(12),
  "8": await phantomFilm(8),
  "signed 12": await phantomFilm(12, true),
};

async function storedValues(file: Uint8Array, frameIndex = 0): Promise<number[]> {
  const { samples, value } = await readFrame(file, frameIndex, async () => codecs);
  return Array.from(samples, (sample) => sample * (value?.slope ?? Number.NaN) + (value?.intercept ?? Number.NaN));
}

function syntaxOf(file: Buffer): string {
  const at = file.indexOf(Buffer.from([0x02, 0x00, 0x10, 0x00]));
  return file.toString("latin1", at + 8, at + 8 + file.readUInt16LE(at + 6)).replaceAll("\0", "");
}

function plainValues(file: Buffer, { values, bitsStored, isSigned }: Phantom): number[] {
  const bytes = bitsStored > 8 ? 2 : 1;
  const odd = (values.length * bytes) % 2;
  const pixels = file.subarray(file.length - values.length * bytes - odd, file.length - odd);
  return Array.from(values, (_, index) => {
    const word = bytes === 2 ? pixels.readUInt16LE(2 * index) : (pixels[index] as number);
    return isSigned && word >= 2 ** (bitsStored - 1) ? word - 2 ** bitsStored : word;
  });
}

type Maker = (film: Phantom) => Buffer;
const tool =
  (name: string, ...args: string[]): Maker =>
  (film) =>
    madeBy(name, [...args, "IN", "OUT"], nativeFile(film));
const codestream = (name: string, args: readonly string[], film: Phantom) =>
  madeBy(name, ["-i", "IN", "-o", "OUT", ...args], greymapOf(film), { in: ".pgm", out: ".j2c" });
const highThroughput =
  (uid: string, ...args: string[]): Maker =>
  (film) =>
    encapsulatedFile(film, uid, [], [codestream("ojph_compress", args, film)]);

const everyDepth = ["16", "12", "8", "signed 12"];
const unsigned = ["16", "12", "8"];
const lossless: readonly [uid: string, depths: readonly string[], maker: Maker, needs: string][] = [
  ["1.2.840.10008.1.2", everyDepth, tool("dcmconv", "+ti"), "dcmconv"],
  ["1.2.840.10008.1.2.1", everyDepth, tool("dcmconv", "+te"), "dcmconv"],
  ["1.2.840.10008.1.2.1.99", everyDepth, tool("dcmconv", "+td"), "dcmconv"],
  ["1.2.840.10008.1.2.2", everyDepth, tool("dcmconv", "+tb"), "dcmconv"],
  ["1.2.840.10008.1.2.5", everyDepth, tool("dcmcrle"), "dcmcrle"],
  ...[1, 4, 6, 7].map((predictor): (typeof lossless)[number] => [
    "1.2.840.10008.1.2.4.57",
    predictor === 1 ? everyDepth : ["signed 12"],
    tool("dcmcjpeg", "+el", "+sv", `${predictor}`),
    "dcmcjpeg",
  ]),
  ["1.2.840.10008.1.2.4.70", everyDepth, tool("dcmcjpeg", "+e1"), "dcmcjpeg"],
  ["1.2.840.10008.1.2.4.70", everyDepth, tool("gdcmconv", "--jpeg"), "gdcmconv"],
  ["1.2.840.10008.1.2.4.80", everyDepth, tool("dcmcjpls", "+el"), "dcmcjpls"],
  ["1.2.840.10008.1.2.4.80", unsigned, tool("gdcmconv", "--jpegls"), "gdcmconv"],
  ["1.2.840.10008.1.2.4.90", everyDepth, tool("gdcmconv", "--j2k"), "gdcmconv"],
  ["1.2.840.10008.1.2.4.90", everyDepth, tool("gdcmconv", "--j2k", "--tile", "64,64"), "gdcmconv"],
  [
    "1.2.840.10008.1.2.4.90",
    unsigned,
    (film) => encapsulatedFile(film, "1.2.840.10008.1.2.4.90", [], [codestream("opj_compress", [], film)]),
    "opj_compress",
  ],
  [
    "1.2.840.10008.1.2.4.201",
    unsigned,
    highThroughput("1.2.840.10008.1.2.4.201", "-reversible", "true", "-prog_order", "LRCP"),
    "ojph_compress",
  ],
  [
    "1.2.840.10008.1.2.4.202",
    unsigned,
    highThroughput("1.2.840.10008.1.2.4.202", "-reversible", "true", "-prog_order", "RPCL"),
    "ojph_compress",
  ],
];

describe("lossless syntaxes, which preserve every stored value", () => {
  for (const [row, [uid, depths, maker, needs]] of lossless.entries()) {
    test.skipIf(!hasTool(needs))(`${row + 1}: ${uid} by ${needs}`, async () => {
      for (const depth of depths) {
        const film = films[depth]!;
        const file = maker(film);
        expect([depth, syntaxOf(file), largestDifference(await storedValues(file), [...film.values])]).toEqual([
          depth,
          uid,
          0,
        ]);
      }
    });
  }
});

const plainBy = (name: string) => (film: Phantom, file: Buffer) => plainValues(madeBy(name, ["IN", "OUT"], file), film);
const jpeg2000 = "1.2.840.10008.1.2.4.91";
const highThroughputLossy = "1.2.840.10008.1.2.4.203";
const expanded = (name: string, stream: Buffer) =>
  samplesOfPortableMap(madeBy(name, ["-i", "IN", "-o", "OUT"], stream, { in: ".j2c", out: ".pgm" }));

/** Lossy decoders may round differently; the standard allows a difference of one. */
const lossy: readonly [
  uid: string,
  depths: readonly string[],
  needs: string,
  make: (film: Phantom) => { readonly file: Buffer; readonly judged: number[] },
][] = [
  [
    "1.2.840.10008.1.2.4.50",
    ["8"],
    "dcmcjpeg",
    (film) => judgedFile(film, tool("dcmcjpeg", "+eb"), plainBy("dcmdjpeg")),
  ],
  [
    "1.2.840.10008.1.2.4.51",
    ["8", "12"],
    "dcmcjpeg",
    (film) => judgedFile(film, tool("dcmcjpeg", "+ee"), plainBy("dcmdjpeg")),
  ],
  [
    "1.2.840.10008.1.2.4.81",
    unsigned,
    "dcmcjpls",
    (film) => judgedFile(film, tool("dcmcjpls", "+en", "+md", "3"), plainBy("dcmdjpls")),
  ],
  [
    jpeg2000,
    unsigned,
    "opj_compress",
    (film) => judgedStream(film, jpeg2000, "opj_decompress", codestream("opj_compress", ["-I", "-r", "6"], film)),
  ],
  [
    highThroughputLossy,
    unsigned,
    "ojph_compress",
    (film) =>
      judgedStream(film, highThroughputLossy, "ojph_expand", codestream("ojph_compress", ["-qstep", "0.002"], film)),
  ],
];

function judgedFile(film: Phantom, maker: Maker, judge: (film: Phantom, file: Buffer) => number[]) {
  const file = maker(film);
  return { file, judged: judge(film, file) };
}

function judgedStream(film: Phantom, uid: string, judge: string, stream: Buffer) {
  return { file: encapsulatedFile(film, uid, [], [stream]), judged: expanded(judge, stream) };
}

describe("lossy syntaxes, compared with an independent decoder", () => {
  for (const [uid, depths, needs, make] of lossy) {
    test.skipIf(!hasTool(needs))(`${uid} by ${needs}`, async () => {
      for (const depth of depths) {
        const film = films[depth]!;
        const { file, judged } = make(film);
        expect([depth, syntaxOf(file), largestDifference(await storedValues(file), judged) <= 1]).toEqual([
          depth,
          uid,
          true,
        ]);
        expect(largestDifference(judged, [...film.values])).toBeGreaterThan(0);
      }
    });
  }
});

test("tests every transfer syntax of the table", () => {
  const made = [...lossless, ...lossy].map(([uid]) => uid);
  expect(transferSyntaxes.map(({ uid }) => uid).filter((uid) => !made.includes(uid))).toEqual([]);
});
