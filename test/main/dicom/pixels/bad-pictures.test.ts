import { describe, expect, test } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { startCodecs } from "../../../../main/dicom/pixels/coded/codec-module.ts";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { dataSet, partTen, sequence, text, us, type Written } from "../dicom-writer.ts";
import { encapsulatedFile, nativeFile, phantomFilm, pictureElements, wordsOf } from "./phantom-film.ts";
import { compiledCodecs } from "../../../fixtures/dicom/started-codecs.ts";

const film = await phantomFilm(12, false, { widthPx: 16, heightPx: 16 });
const module = await compiledCodecs();
const explicitLittleEndian = "1.2.840.10008.1.2.1";

async function faultOf(file: Buffer, frameIndex = 0): Promise<string> {
  try {
    await readFrame(file, frameIndex, () => startCodecs(module));
    return "no fault";
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : `thrown: ${String(error)}`;
  }
}

const withElement = (...extra: Written[]) => nativeFile(film, extra);
const garbage = Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 7919) % 251));
const jpegHeader = (rows: number, columns: number, components = 1) =>
  Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xc3,
    0,
    8 + 3 * components,
    12,
    rows >> 8,
    rows & 255,
    columns >> 8,
    columns & 255,
    components,
    1,
    0x11,
    0,
  ]);

describe("rejection of an invalid picture", () => {
  const cases: readonly [name: string, file: () => Buffer, fault: string][] = [
    [
      "no pixel data",
      () => partTen(explicitLittleEndian, dataSet(...pictureElements(film))),
      "DICOM_WITHOUT_PIXELS: The DICOM file holds no picture",
    ],
    [
      "zero rows",
      () => withElement(us("00280010", 0)),
      "INVALID_DICOM: The DICOM file is damaged: its image has 0 rows and 16 columns",
    ],
    [
      "rows written as a decimal",
      () => withElement(text("00280010", "DS", "1.5")),
      "INVALID_DICOM: The DICOM file is damaged: Rows (0028,0010) is 1.5",
    ],
    [
      "no columns",
      () => partTen(explicitLittleEndian, dataSet(...pictureElements(film).filter(({ tag }) => tag !== "00280011"))),
      "INVALID_DICOM: The DICOM file is damaged: Columns (0028,0011) is missing",
    ],
    [
      "huge rows and columns",
      () => withElement(us("00280010", 65_535), us("00280011", 65_535)),
      "IMAGE_TOO_MANY_PIXELS: Image exceeds maximum of 100 megapixels",
    ],
    [
      "more rows than bytes",
      () => withElement(us("00280010", 17)),
      "INVALID_DICOM: The DICOM file is truncated: frame 1 needs 544 bytes of pixel data, but there are 512",
    ],
    [
      "truncated pixels",
      () => nativeFile(film).subarray(0, -2),
      "INVALID_DICOM: The DICOM file is truncated: frame 1 needs 512 bytes of pixel data, but there are 510",
    ],
    ["more frames than bytes", () => withElement(text("00280008", "IS", "1000000")), "no fault"],
    [
      "a negative number of frames",
      () => withElement(text("00280008", "IS", "-3")),
      "INVALID_DICOM: The DICOM file is damaged: Number of Frames (0028,0008) is -3",
    ],
    [
      "32 bits",
      () => withElement(us("00280100", 32)),
      "UNSUPPORTED_DICOM: Images with Bits Allocated (0028,0100) = 32 cannot be shown",
    ],
    [
      "more bits stored than allocated",
      () => withElement(us("00280101", 17)),
      "INVALID_DICOM: The DICOM file is damaged: Bits Stored 17 and High Bit 11 do not fit Bits Allocated 16",
    ],
    [
      "an unknown photometric interpretation",
      () => withElement(text("00280004", "CS", "HSV")),
      "UNSUPPORTED_DICOM: Images with Photometric Interpretation (0028,0004) = HSV cannot be shown",
    ],
    [
      "colours of one sample",
      () => withElement(text("00280004", "CS", "RGB")),
      "INVALID_DICOM: The DICOM file is damaged: RGB with 1 samples per pixel",
    ],
    [
      "a missing palette",
      () => withElement(text("00280004", "CS", "PALETTE COLOR")),
      "UNSUPPORTED_DICOM: Images in palette colours without a plain palette cannot be shown",
    ],
    ["a VOI table without entries", () => withElement(sequence("00283010", [us("00283002", 0, 0, 16)])), "no fault"],
    [
      "an unknown transfer syntax",
      () =>
        partTen("1.2.840.10008.1.2.4.100", dataSet(...pictureElements(film), text("7FE00010", "OW", wordsOf(film)))),
      "UNSUPPORTED_DICOM: Images in transfer syntax 1.2.840.10008.1.2.4.100 cannot be shown",
    ],
    [
      "uncompressed pixels under a compressed syntax",
      () =>
        partTen(
          "1.2.840.10008.1.2.4.70",
          dataSet(...pictureElements(film), text("7FE00010", "OW", wordsOf(film).subarray(2))),
        ),
      "INVALID_DICOM: The DICOM file is damaged: its pixel data is not compressed, although its transfer syntax says so",
    ],
    [
      "compressed pixels under an uncompressed syntax",
      () => encapsulatedFile(film, explicitLittleEndian, [], [garbage]),
      "INVALID_DICOM: The DICOM file is damaged: its pixel data is compressed, although its transfer syntax says otherwise",
    ],
    [
      "no fragments",
      () => encapsulatedFile(film, "1.2.840.10008.1.2.4.70", [], []),
      "INVALID_DICOM: The DICOM file is damaged: frame 1 of its pixel data is missing",
    ],
    ...[
      "1.2.840.10008.1.2.4.50",
      "1.2.840.10008.1.2.4.80",
      "1.2.840.10008.1.2.4.90",
      "1.2.840.10008.1.2.4.201",
      "1.2.840.10008.1.2.5",
    ].map((uid): (typeof cases)[number] => [
      `garbage in ${uid}`,
      () => encapsulatedFile(film, uid, [], [garbage]),
      "INVALID_DICOM: The DICOM file is damaged: its compressed image has no readable header",
    ]),
    [
      "a compressed picture of another size",
      () => encapsulatedFile(film, "1.2.840.10008.1.2.4.70", [], [jpegHeader(60_000, 60_000)]),
      "INVALID_DICOM: The DICOM file is damaged: it announces 16 × 16 px × 1, but its compressed image has 60000 × 60000 px × 1",
    ],
    [
      "a compressed picture of 17 bits",
      () => encapsulatedFile(film, "1.2.840.10008.1.2.4.70", [], [jpegHeader(16, 16).fill(17, 6, 7)]),
      "UNSUPPORTED_DICOM: Compressed images of 17 bits cannot be shown",
    ],
    [
      "a header without a scan",
      () => encapsulatedFile(film, "1.2.840.10008.1.2.4.70", [], [jpegHeader(16, 16)]),
      "thrown: Error: ",
    ],
  ];
  test.each(cases)("%s", async (_name, file, fault) => {
    const found = await faultOf(file());
    // Codecs that replace their instance convert the error; see sturdy-codecs.slow.test.ts.
    if (fault.startsWith("thrown")) expect(found).toMatch(/^thrown: /);
    else expect(found).toBe(fault);
  });
  test("a missing frame", async () => {
    expect(await faultOf(nativeFile(film), 1)).toBe("INVALID_DICOM: The DICOM file has 1 frame; frame 2 was requested");
  });
});
