import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readDicomFile } from "../../../../../main/dicom/dicom-file.ts";
import { readFrame } from "../../../../../main/dicom/pixels/read-frame.ts";
import { hasTool, madeBy } from "../dicom-tools.ts";
import { encapsulatedFile, nativeFile, phantomFilm, wordsOf, type Phantom } from "../phantom-film.ts";
import { rlePicture } from "../rle-writer.ts";
import { startedCodecs } from "../../../../fixtures/dicom/started-codecs.ts";

const codecs = await startedCodecs();
const [film, byteFilm] = [await phantomFilm(12), await phantomFilm(8)];

const samplesOf = async (file: Buffer) => [...(await readFrame(file, 0, async () => codecs)).samples];
const incomplete = { code: "INVALID_DICOM", reason: { name: "dicomCodedIncomplete" } };

function shortened(file: Buffer, of: Phantom, left: (coded: Buffer) => Buffer): Buffer {
  const { pixelData, transferSyntaxUid } = readDicomFile(file);
  if (pixelData?.kind !== "encapsulated") throw new Error("not compressed");
  return encapsulatedFile(of, transferSyntaxUid, [], [left(Buffer.from(pixelData.frame(0, 1)))]);
}

const beforeEnd = (bytes: Buffer, cut: number) => bytes.subarray(0, bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) - cut);
const closed = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0xff, 0xd9])]);

describe.skipIf(!hasTool("dcmcjpeg"))("a JPEG picture in DICOM", () => {
  const jpegs = [
    ["lossless", ["+e1"], () => film],
    ["of 12 bits", ["+ee"], () => film],
    ["of 8 bits", ["+eb"], () => byteFilm],
  ] as const;
  test.each(jpegs)(
    "%s is rejected without its last samples, with or without an end marker",
    async (_name, args, of) => {
      const file = madeBy("dcmcjpeg", [...args, "IN", "OUT"], nativeFile(of()));
      for (const cut of [60, 400]) {
        await expect(samplesOf(shortened(file, of(), (bytes) => beforeEnd(bytes, cut)))).rejects.toMatchObject(
          incomplete,
        );
        const marked = shortened(file, of(), (bytes) => closed(beforeEnd(bytes, cut)));
        await expect(samplesOf(marked)).rejects.toMatchObject(incomplete);
      }
    },
  );
  test.each(jpegs)("%s is shown without an end marker if its samples are complete", async (_name, args, of) => {
    const file = madeBy("dcmcjpeg", [...args, "IN", "OUT"], nativeFile(of()));
    const bare = shortened(file, of(), (bytes) => beforeEnd(bytes, 0));
    expect(await samplesOf(bare)).toEqual(await samplesOf(file));
  });
});

test("rejects a grey baseline JPEG without its lower half", async () => {
  const { widthPx, heightPx, values } = byteFilm;
  const raw = { width: widthPx, height: heightPx, channels: 1 } as const;
  const coded = await sharp(Buffer.from(values), { raw }).toColourspace("b-w").jpeg().toBuffer();
  const half = encapsulatedFile(byteFilm, "1.2.840.10008.1.2.4.50", [], [coded.subarray(0, coded.length >> 1)]);
  await expect(samplesOf(half)).rejects.toMatchObject(incomplete);
});

describe("a codestream of JPEG 2000", () => {
  const names = ["jpeg-2000", "jpeg-2000-lossy", "htj2k", "htj2k-rpcl", "htj2k-lossy"];
  const cutBy = (name: string, cut: number) => {
    const file = readFileSync(`test/fixtures/dicom/${name}.dcm`);
    const { pixelData } = readDicomFile(file);
    if (pixelData?.kind !== "encapsulated") throw new Error("not compressed");
    const coded = Buffer.from(pixelData.frame(0, 1));
    const end = coded.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2 - cut;
    const kept = coded.subarray(0, end + (end % 2));
    const at = file.indexOf(coded);
    const length = Buffer.from(Uint32Array.of(kept.length).buffer);
    return Buffer.concat([file.subarray(0, at - 4), length, kept, file.subarray(at + coded.length)]);
  };
  test.each(names)("%s is rejected without its last bytes", async (name) => {
    await expect(samplesOf(cutBy(name, 100))).rejects.toMatchObject(incomplete);
  });
  test.each(names)("%s is shown without its end marker", async (name) => {
    expect(await samplesOf(cutBy(name, 2))).toEqual(await samplesOf(cutBy(name, 0)));
  });
});

describe("an RLE picture", () => {
  const syntax = "1.2.840.10008.1.2.5";
  const rle = (options?: Parameters<typeof rlePicture>[1]) =>
    encapsulatedFile(film, syntax, [], [rlePicture(wordsOf(film), options)]);
  test("is shown with planes of odd length, with padding, and with the lower byte first", async () => {
    const right = await samplesOf(nativeFile(film));
    for (const options of [{}, { isOdd: true }, { extraBytes: 1 }, { extraBytes: 300 }, { isLowFirst: true }])
      expect(await samplesOf(rle(options)), JSON.stringify(options)).toEqual(right);
  });
  test("is rejected if a plane ends before the picture", async () => {
    await expect(samplesOf(rle({ missingBytes: 1 }))).rejects.toMatchObject(incomplete);
    const beyond = rlePicture(wordsOf(film));
    beyond.writeUInt32LE(9_999_999, 8);
    await expect(samplesOf(encapsulatedFile(film, syntax, [], [beyond]))).rejects.toMatchObject(incomplete);
  });
});
