import { describe, expect, test } from "vitest";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { bytes, text } from "../dicom-writer.ts";
import { hasTool, madeBy } from "./dicom-tools.ts";
import { encapsulatedFile, greymapOf, nativeFile, phantomFilm, wordsOf } from "./phantom-film.ts";
import { rlePicture } from "./rle-writer.ts";
import { startedCodecs } from "../../../fixtures/dicom/started-codecs.ts";

const codecs = await startedCodecs();
const first = await phantomFilm(12, false, { widthPx: 64, heightPx: 80 });
const films = [
  first,
  { ...first, values: first.values.map((value) => 4095 - value) },
  { ...first, values: first.values.toReversed() },
];

const severalFrames = () => nativeFile(first, [text("00280008", "IS", "3")], Buffer.concat(films.map(wordsOf)));

async function storedValues(file: Buffer, frameIndex: number): Promise<number[]> {
  const { samples, value } = await readFrame(file, frameIndex, async () => codecs);
  return Array.from(samples, (sample) => sample + (value?.intercept ?? Number.NaN));
}

async function expectEveryFrame(file: Buffer): Promise<void> {
  for (const [index, film] of films.entries())
    expect([index, await storedValues(file, index)]).toEqual([index, [...film.values]]);
}

describe("readFrame", () => {
  test("reads consecutive native frames", async () => expectEveryFrame(severalFrames()));

  const encoders = [["dcmcrle"], ["dcmcjpeg", "+e1"], ["dcmcjpls", "+el"]] as const;
  const forms = [["+ot"], ["-ot"], ["+fs", "1", "+ot"], ["+fs", "1", "-ot"]] as const;
  for (const [tool, ...args] of encoders) {
    for (const form of forms) {
      // Without a table, the start of a fragmented RLE frame is unknown; the standard forbids such files.
      if (tool === "dcmcrle" && form[0] === "+fs") continue;
      test.skipIf(!hasTool(tool))(`${tool} ${[...args, ...form].join(" ")}`, async () => {
        await expectEveryFrame(madeBy(tool, [...args, ...form, "IN", "OUT"], severalFrames()));
      });
    }
  }

  test.skipIf(!hasTool("opj_compress"))("reads an extended offset table, and codestreams in JP2 boxes", async () => {
    const streams = films.map((film) =>
      madeBy("opj_compress", ["-i", "IN", "-o", "OUT"], greymapOf(film), { in: ".pgm", out: ".jp2" }),
    );
    const padded = streams.map((stream) =>
      stream.length % 2 === 0 ? stream : Buffer.concat([stream, Buffer.alloc(1)]),
    );
    const halves = padded.flatMap((stream) => [stream.subarray(0, 200), stream.subarray(200)]);
    const starts = padded.map((_, index) =>
      BigInt(padded.slice(0, index).reduce((sum, stream) => sum + stream.length + 16, 0)),
    );
    const table = bytes("7FE00001", "OV", Buffer.from(BigUint64Array.from(starts).buffer));
    await expectEveryFrame(
      encapsulatedFile(first, "1.2.840.10008.1.2.4.90", [], halves, [text("00280008", "IS", "3"), table]),
    );
  });

  describe("with RLE in several fragments", () => {
    const coded = () => films.map((film) => rlePicture(wordsOf(film)));
    const halved = (pictures: readonly Buffer[]) =>
      pictures.flatMap((picture) => [picture.subarray(0, 600), picture.subarray(600)]);
    const fileOf = (offsets: readonly number[], frames = 3) =>
      encapsulatedFile(first, "1.2.840.10008.1.2.5", offsets, halved(coded()), [text("00280008", "IS", `${frames}`)]);
    test("finds each frame by its header without an offset table", async () => expectEveryFrame(fileOf([])));
    test.each([
      ["zeros", [0, 0, 0]],
      ["offsets of no fragment", [8, 2000, 4000]],
      ["offsets in the wrong order", [16, 8, 0]],
    ])("ignores an offset table of %s", async (_name, offsets) => expectEveryFrame(fileOf(offsets)));
    test("reads the frames of a file that states one more", async () => {
      await expectEveryFrame(fileOf([], 4));
      await expect(storedValues(fileOf([], 4), 3)).rejects.toMatchObject({ reason: { name: "dicomFrameMissing" } });
    });
  });
});
