import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { isDicom, readDicomFile } from "../../../main/dicom/dicom-file.ts";
import {
  deflatedLittleEndian,
  explicitBigEndian,
  explicitLittleEndian,
  implicitLittleEndian,
} from "../../../main/dicom/transfer-syntaxes.ts";
import {
  bytes,
  dataSet,
  encapsulated,
  explicit,
  implicit,
  partTen,
  sequence,
  text,
  us,
  type Written,
} from "./dicom-writer.ts";

const elements: readonly Written[] = [
  text("00080005", "CS", "ISO_IR 192"),
  text("00100010", "PN", "Müller^Rex"),
  us("00280010", 3),
  us("00280011", 2),
  text("00280030", "DS", "0.1\\0.2"),
];
const pixels = bytes("7FE00010", "OW", Uint8Array.of(1, 2, 3, 4, 5, 6));
const facts = (file: Buffer) => {
  const read = readDicomFile(file);
  return [
    read.transferSyntaxUid,
    read.text("00100010"),
    read.number("00280010"),
    read.numbers("00280030"),
    read.pixelData?.kind,
  ];
};
const faultOf = (file: Uint8Array): string => {
  try {
    readDicomFile(file);
    return "no fault";
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : `thrown: ${String(error)}`;
  }
};

describe("readDicomFile", () => {
  const plain = dataSet(...elements, pixels);

  test.each([
    ["explicit, with header", partTen(explicitLittleEndian, plain), explicitLittleEndian],
    ["explicit, without header", plain, explicitLittleEndian],
    [
      "implicit, with header",
      partTen(implicitLittleEndian, Buffer.concat([...elements, pixels].map(implicit))),
      implicitLittleEndian,
    ],
    ["implicit, without header", Buffer.concat([...elements, pixels].map(implicit)), implicitLittleEndian],
    ["deflated", partTen(deflatedLittleEndian, deflateRawSync(plain)), deflatedLittleEndian],
    ["declared implicit but written explicit", partTen(implicitLittleEndian, plain), implicitLittleEndian],
  ])("reads a file: %s", (_, file, syntax) => {
    expect(isDicom(file)).toBe(true);
    expect(facts(file)).toEqual([syntax, "Müller^Rex", 3, [0.1, 0.2], "native"]);
  });

  test("reads big endian", () => {
    const swapped = Buffer.concat([bigEndian(us("00280010", 3)), bigEndian(us("00280011", 258))]);
    const read = readDicomFile(partTen(explicitBigEndian, swapped));
    expect([read.isBigEndian, read.numbers("00280010"), read.numbers("00280011")]).toEqual([true, [3], [258]]);
  });

  test("reads sequences with an inherited character set after an unknown long representation", () => {
    const file = dataSet(
      text("00080005", "CS", "ISO_IR 100"),
      bytes("00091001", "UV", Buffer.alloc(8, 7)),
      sequence("00101002", [text("00100020", "LO", Buffer.from("Zoé", "latin1"))], []),
    );
    const items = readDicomFile(file).items("00101002");
    expect(items.map((item) => item.text("00100020"))).toEqual(["Zoé", null]);
  });

  test.each([
    ["one frame in three fragments", [], ["ab", "cd", "ef"], 1, ["abcdef"]],
    ["a fragment for each frame", [], ["ab", "cd"], 2, ["ab", "cd"]],
    ["an offset table", [0, 20], ["ab", "cd", "ef"], 2, ["abcd", "ef"]],
    ["pictures with start markers", [], ["\xff\xd8ab", "cd", "\xff\xd8ef"], 2, ["\xff\xd8abcd", "\xff\xd8ef"]],
  ])("finds the frames: %s", (_, offsets, fragments, frames, expected) => {
    const pixelData = readDicomFile(
      Buffer.concat([
        plainHeader,
        encapsulated(
          offsets,
          fragments.map((fragment) => Buffer.from(fragment, "latin1")),
        ),
      ]),
    ).pixelData;
    if (pixelData?.kind !== "encapsulated") throw new Error("not encapsulated");
    expect(expected.map((_, index) => Buffer.from(pixelData.frame(index, frames)).toString("latin1"))).toEqual(
      expected,
    );
    expect(() => pixelData.frame(frames, frames)).toThrow(`frame ${frames + 1} of its pixel data is missing`);
  });

  test.each([
    ["another kind of file", Buffer.from("%PDF-1.7 and so on"), "INVALID_DICOM: This is not a DICOM file"],
    ["an empty file", Buffer.alloc(0), "INVALID_DICOM: This is not a DICOM file"],
    [
      "a header without data set",
      partTen(explicitLittleEndian, Buffer.alloc(0)),
      "INVALID_DICOM: The DICOM file is empty",
    ],
    [
      "a length beyond the file",
      Buffer.concat([plainHeaderOf(), explicit(text("00100020", "LO", "12"), 60_000)]),
      "INVALID_DICOM: The DICOM file is truncated: element (0010,0020) runs past its end",
    ],
    [
      "a truncated element header",
      plain.subarray(0, 22),
      "INVALID_DICOM: The DICOM file is damaged or truncated at element (0010,0010)",
    ],
    [
      "an element without representation",
      Buffer.concat([plainHeaderOf(), Buffer.from("10002000?!0200aa", "latin1")]),
      null,
    ],
    [
      "invalid deflated data",
      partTen(deflatedLittleEndian, Buffer.from("not deflated")),
      "INVALID_DICOM: The DICOM file is damaged: its deflated part cannot be unpacked",
    ],
    [
      "a million elements",
      Buffer.concat([plainHeaderOf(), Buffer.alloc(8_000_000)]),
      "INVALID_DICOM: The DICOM file is damaged: it has more than 500,000 elements",
    ],
    [
      "a fragment beyond the file",
      Buffer.concat([plainHeaderOf(), encapsulated([], [Buffer.alloc(400)]).subarray(0, -100)]),
      "INVALID_DICOM: The DICOM file is truncated: element (FFFE,E000) runs past its end",
    ],
  ])("rejects %s with the reason", (_, file, fault) => {
    if (fault === null)
      expect(faultOf(file)).toMatch(
        /^INVALID_DICOM: The DICOM file is damaged: element \(.*\) has no value representation$/,
      );
    else expect(faultOf(file)).toBe(fault);
  });

  test("rejects endlessly nested sequences", () => {
    const opening = Buffer.concat([
      Buffer.from("0800401153510000ffffffff", "hex"),
      Buffer.from("feff00e0ffffffff", "hex"),
    ]);
    expect(faultOf(Buffer.concat([plainHeaderOf(), ...Array.from({ length: 50_000 }, () => opening)]))).toBe(
      "INVALID_DICOM: The DICOM file is damaged: its sequences are nested too deeply",
    );
  });
});

const plainHeader = plainHeaderOf();

function plainHeaderOf(): Buffer {
  return dataSet(text("00080005", "CS", "ISO_IR 192"));
}

function bigEndian(element: Written): Buffer {
  const little = explicit(element);
  const [tag, length, value] = [little.subarray(0, 4), little.subarray(6, 8), little.subarray(8)];
  return Buffer.concat([
    Buffer.from(tag).swap16(),
    little.subarray(4, 6),
    Buffer.from(length).swap16(),
    Buffer.from(value).swap16(),
  ]);
}
