import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { reasonInEnglish } from "../../../core/app-error.ts";
import { noticesOf } from "../../../main/dicom/dicom-notices.ts";
import { textDecodingOf } from "../../../main/dicom/elements/character-set.ts";
import { readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { explicitLittleEndian } from "../../../main/dicom/transfer-syntaxes.ts";
import { dataSet, partTen, text } from "./dicom-writer.ts";
import { folderForFile } from "../../fixtures/folders.ts";

const python = "/usr/bin/python3";
const hasPydicom = spawnSync(python, ["-c", "import pydicom"]).status === 0;
if (!hasPydicom)
  console.warn("skipped: texts written by pydicom, which /usr/bin/python3 lacks (Debian: python3-pydicom)");

/** Specific Character Set and a person name, written by pydicom. */
const names: readonly (readonly [sets: readonly string[], name: string])[] = [
  [["ISO_IR 192"], "Müller^Bäßli=山田^太郎=やまだ^たろう"],
  [["ISO_IR 100"], "Müller^Zoé"],
  [["ISO_IR 101"], "Dvořák^Žižka"],
  [["ISO_IR 109"], "Ħaġrat^Ċikku"],
  [["ISO_IR 110"], "Ķēniņš^Šņore"],
  [["ISO_IR 144"], "Люкceмбypг^Рекс"],
  [["ISO_IR 126"], "Διονυσιος^Ρεξ"],
  [["ISO_IR 138"], "שרון^דבורה"],
  [["ISO_IR 148"], "Şimşek^Köpeğim"],
  [["ISO_IR 166"], "นามสกุล^หมา"],
  [["ISO_IR 13"], "ﾔﾏﾀﾞ^ﾀﾛｳ"],
  [["GB18030"], "王^小东=王^小东"],
  [["GBK"], "王^小东"],
  [["", "ISO 2022 IR 87"], "Yamada^Tarou=山田^太郎=やまだ^たろう"],
  [["ISO 2022 IR 13", "ISO 2022 IR 87"], "ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう"],
  [["", "ISO 2022 IR 149"], "Hong^Gildong=洪^吉洞=홍^길동"],
  [["ISO 2022 IR 100", "ISO 2022 IR 144"], "Müller^Рекс"],
];

const writer = `
import json, sys
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian
for index, (sets, name) in enumerate(json.load(open(sys.argv[1] + "/names.json"))):
    data = Dataset()
    data.SpecificCharacterSet = sets if len(sets) > 1 else sets[0]
    data.PatientName = name
    data.ResponsiblePerson = name
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data.SOPClassUID, data.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.1", f"1.2.3.{index}"
    data.is_little_endian, data.is_implicit_VR = True, False
    data.save_as(f"{sys.argv[1]}/{index}.dcm", write_like_original=False)
`;

describe.skipIf(!hasPydicom)("texts written by pydicom", () => {
  const folder = folderForFile();
  beforeAll(() => {
    writeFileSync(path.join(folder, "names.json"), JSON.stringify(names));
    execFileSync(python, ["-W", "ignore", "-c", writer, folder], { stdio: ["ignore", "ignore", "inherit"] });
  });

  test.each(names.map(([sets, name], index) => [sets.join("\\") || "none", name, index] as const))(
    "are read in %s: %s",
    (_, name, index) => {
      const file = readDicomFile(readFileSync(path.join(folder, `${index}.dcm`)));
      expect([file.text("00100010"), file.text("00102297")]).toEqual([name, name]);
    },
  );
});

describe("textDecodingOf", () => {
  const decode = (names: readonly string[], bytes: string, representation: string | null = "PN") =>
    textDecodingOf(names)(Buffer.from(bytes, "latin1"), representation);

  const noticesFor = (sets: string, bytes: string) =>
    noticesOf(
      readDicomFile(
        partTen(
          explicitLittleEndian,
          dataSet(text("00080005", "CS", sets), text("00100010", "PN", Buffer.from(bytes, "latin1"))),
        ),
      ),
    ).map(reasonInEnglish);

  test("does not read a backslash in the second byte of a pair as a delimiter", () => {
    expect(decode(["", "ISO 2022 IR 87"], "\x1b$BF|K\\\x1b(B\\\x1b$BF|K\\\x1b(B")).toBe("日本\\日本");
    expect(decode(["GB18030"], "\x97\x5c\\Rex")).toBe("梊\\Rex");
  });

  test("reads Latin-9 and ISO 2022 IR 58, which pydicom does not write", () => {
    expect(decode(["ISO_IR 203"], "\xbduvre^\xb4ofie \xa4")).toBe("œuvre^Žofie €");
    expect(decode(["", "ISO 2022 IR 58"], "Zhang^XiaoDong=\x1b$)A\xd5\xc5^\x1b$)A\xd0\xa1\xb6\xab=")).toBe(
      "Zhang^XiaoDong=张^小东=",
    );
  });

  test.each([
    ["LO", "김^김=김\\±è\r±è"],
    ["UC", "김^김=김\\±è\r±è"],
    ["LT", "김^김=김\\김\r±è"],
    ["ST", "김^김=김\\김\r±è"],
    ["PN", "김^±è=±è\\±è\r±è"],
    [null, "김^김=김\\±è\r±è"],
  ])("resets the code table only after the delimiters of %s", (representation, read) => {
    const kim = "\xb1\xe8";
    const bytes = `\x1b$)C${kim}^${kim}=${kim}\\${kim}\r${kim}`;
    expect(decode(["ISO 2022 IR 100", "ISO 2022 IR 149"], bytes, representation)).toBe(read);
    expect(decode(["ISO_IR 100"], bytes, representation)).toBe(read);
    const zhang = "\xd5\xc5";
    expect(decode(["", "ISO 2022 IR 58"], `\x1b$)A${zhang}=${zhang}`, "LO")).toBe("张=张");
  });

  test("uses the representations in a file", () => {
    const elements = dataSet(
      text("00080005", "CS", "\\ISO 2022 IR 149"),
      text("00081030", "LO", Buffer.from("\x1b$)C\xb1\xe8^\xb1\xe8", "latin1")),
    );
    expect(readDicomFile(partTen(explicitLittleEndian, elements)).text("00081030")).toBe("김^김");
  });

  test("reads JIS X 0212", () => {
    expect(decode(["", "ISO 2022 IR 159"], "\x1b$(D0!\x1b(B!")).toBe("丂!");
  });

  test("reads Shift-JIS that is declared as ISO_IR 13", () => {
    expect(decode(["ISO_IR 13"], "\x8eR\x93c^\x91\xbe\x98Y")).toBe("山田^太郎");
  });

  test.each([
    ["GB2312", "\xcd\xf5^\xd0\xa1\xba\xda", "王^小黑"],
    ["ISO-8859-5", "\xc0\xd5\xda\xe1", "Рекс"],
    ["iso8859_2", "\xaei\xbeka", "Žižka"],
    ["ISO 8859-13", "\xc0\xfeuolas", "Ąžuolas"],
    ["WINDOWS-1251", "\xd0\xe5\xea\xf1", "Рекс"],
    ["CP1250", "\x8ei\x9eka", "Žižka"],
    ["windows-936", "\xd0\xa1\xba\xda", "小黑"],
    ["CP932", "\x8eR\x93c", "山田"],
    ["KS X 1001", "\xb1\xe8", "김"],
    ["UTF-8", "M\xc3\xbcller", "Müller"],
    ["ISO_IR 6", "M\xfcller", "Müller"],
  ])("reads the set name %s", (set, bytes, read) => {
    expect(decode([set], bytes)).toBe(read);
    expect(noticesFor(set, bytes)).toEqual([]);
  });

  test.each([
    ["ISO_IR 100", "Müller"],
    ["ISO_IR 101", "Žižka"],
    ["ISO_IR 144", "Рекс"],
    ["ISO_IR 166", "หมา"],
    ["ISO_IR 13", "山田^太郎"],
    ["GB18030", "王^小黑"],
    ["ISO 2022 IR 149", "김"],
    ["ISO 2022 IR 100\\ISO 2022 IR 144", "Рекс"],
    ["UNKNOWN SET", "王"],
  ])("reads UTF-8 that is declared as %s", (sets, name) => {
    const bytes = Buffer.from(name).toString("latin1");
    expect(decode(sets.split("\\"), bytes)).toBe(name);
    expect(noticesFor(sets, bytes)).toEqual([]);
  });

  test.each([
    ["GB2312", "\xd0\xa1\xd0\xa1", "小小"],
    ["ISO_IR 144", "\xc7\xb0\xc7\xb0", "ЧАЧА"],
    ["ISO_IR 166", "\xe0\xa8\xb9", "เจน"],
  ])("reads words in %s that happen to be valid UTF-8", (set, bytes, read) => {
    expect(decode([set], bytes)).toBe(read);
  });

  test("reads UTF-8 without a known set if the bytes are valid, else Latin-1", () => {
    expect([decode([], "M\xc3\xbcller"), decode([], "M\xfcller"), decode(["UNKNOWN"], "M\xfcller")]).toEqual([
      "Müller",
      "Müller",
      "Müller",
    ]);
  });

  test("reports an unknown set if names have non-ASCII letters", () => {
    expect(noticesFor("ISO_IR 999", "M\xfcller")).toEqual([
      "The character set ISO_IR 999 of the DICOM file is unknown; names and other texts may contain wrong letters",
    ]);
    expect(noticesFor("ISO_IR 100\\EBCDIC", "M\xfcller").join()).toContain("EBCDIC");
    expect(noticesFor("ISO_IR 999", "Mueller")).toEqual([]);
  });

  test("continues after an unknown escape sequence", () => {
    expect(decode(["", "ISO 2022 IR 87"], "Rex\x1b%zBello\x1b")).toBe("Rex%zBello");
  });
});
