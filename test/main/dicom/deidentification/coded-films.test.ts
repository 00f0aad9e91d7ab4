import { describe, expect, test } from "vitest";
import { deidentifyFile } from "../../../../main/dicom/deidentification/deidentify-file.ts";
import type { Deidentification } from "../../../../main/dicom/deidentification/deidentification.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { findPictureEnd } from "../../../../main/dicom/pixels/coded/find-picture-end.ts";
import { text } from "../dicom-writer.ts";
import { hasTool, madeBy } from "../pixels/dicom-tools.ts";
import { encapsulatedFile, greymapOf, nativeFile, phantomFilm, wordsOf } from "../pixels/phantom-film.ts";

const how: Deidentification = {
  choices: { dates: "removed", descriptors: "removed", keepsPatient: false },
  ...{ pseudonym: "ANON-1", shiftDays: -400, secret: "secret", frameIndex: 0, areas: [], programVersion: "0.1.0" },
};
const noCodec = () => Promise.reject(new Error("no codec is needed"));

const film = await phantomFilm(8, false, { widthPx: 64, heightPx: 80 });
const other = { ...film, values: film.values.map((value) => 255 - value) };
const even = (picture: Buffer) => (picture.length % 2 === 0 ? picture : Buffer.concat([picture, Buffer.alloc(1)]));

function framesBy(tool: string, ...args: readonly string[]): readonly [Buffer, Buffer] {
  const two = nativeFile(film, [text("00280008", "IS", "2")], Buffer.concat([wordsOf(film), wordsOf(other)]));
  const { pixelData } = readDicomFile(madeBy(tool, [...args, "IN", "OUT"], two));
  if (pixelData?.kind !== "encapsulated") throw new Error("not compressed");
  return [Buffer.from(pixelData.frame(0, 2)), Buffer.from(pixelData.frame(1, 2))];
}

function codestreams(...args: readonly string[]): readonly [Buffer, Buffer] {
  const coded = (one: typeof film) =>
    madeBy("opj_compress", ["-i", "IN", "-o", "OUT", ...args], greymapOf(one), { in: ".pgm", out: ".j2k" });
  return [even(coded(film)), even(coded(other))];
}

async function leftOf(syntax: string, fragments: readonly Buffer[]): Promise<Buffer> {
  const file = encapsulatedFile(film, syntax, [], fragments, []);
  const { pixelData, transferSyntaxUid } = readDicomFile(await deidentifyFile(file, how, noCodec));
  expect(transferSyntaxUid).toBe(syntax);
  return pixelData?.kind === "encapsulated" ? Buffer.from(pixelData.frame(0, 1)) : Buffer.alloc(0);
}

describe("de-identification of a compressed film with undeclared further pictures", () => {
  test
    .skipIf(!hasTool("dcmcrle", "dcmcjpeg", "dcmcjpls", "opj_compress"))
    .each<[string, string, () => readonly [Buffer, Buffer]]>([
      ["RLE", "1.2.840.10008.1.2.5", () => framesBy("dcmcrle")],
      ["JPEG", "1.2.840.10008.1.2.4.50", () => framesBy("dcmcjpeg", "+eb")],
      ["lossless JPEG", "1.2.840.10008.1.2.4.70", () => framesBy("dcmcjpeg", "+e1")],
      ["JPEG-LS", "1.2.840.10008.1.2.4.80", () => framesBy("dcmcjpls", "+el")],
      ["JPEG 2000", "1.2.840.10008.1.2.4.90", () => codestreams()],
      ["JPEG 2000 in tiles", "1.2.840.10008.1.2.4.90", () => codestreams("-t", "32,32", "-TP", "R")],
    ])("keeps only the first picture in %s", async (_name, syntax, make) => {
    const [first, second] = make();
    expect((await leftOf(syntax, [first])).equals(first)).toBe(true);
    const cut = [first.subarray(0, 100), first.subarray(100)];
    for (const fragments of [[first, second], [Buffer.concat([first, second])], [...cut, second]]) {
      const left = await leftOf(syntax, fragments);
      // The padding byte at its end is rewritten.
      expect([left.length, left.subarray(0, -2).equals(first.subarray(0, -2))]).toEqual([first.length, true]);
    }
  });
});

test("finds the end of a truncated picture within its bytes, in every compression", () => {
  const bytes = Buffer.alloc(80, 0xff);
  bytes.writeUInt32LE(15);
  for (const coding of ["DecodeRle", "DecodeJpeg", "DecodeJpegLs", "DecodeJpeg2000"] as const)
    for (let length = 0; length <= bytes.length; length += 1)
      expect(findPictureEnd(bytes.subarray(0, length), coding, film), coding).toBeLessThanOrEqual(length);
});
