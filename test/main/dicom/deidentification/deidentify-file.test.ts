import { describe, expect, test } from "vitest";
import type { DeidentificationChoices } from "../../../../core/deidentification/attribute-action.ts";
import { profileTable } from "../../../../core/deidentification/profile-table.ts";
import { deidentifyFile } from "../../../../main/dicom/deidentification/deidentify-file.ts";
import type { Deidentification } from "../../../../main/dicom/deidentification/deidentification.ts";
import { readDicomFile, type DicomFile } from "../../../../main/dicom/dicom-file.ts";
import { createDicomReader } from "../../../../main/dicom/dicom-reader.ts";
import type { DicomElements } from "../../../../main/dicom/elements/dicom-elements.ts";
import { standardRepresentation } from "../../../../main/dicom/elements/standard-representation.ts";
import {
  bytes,
  dataSet,
  encapsulated,
  implicit,
  openSequence,
  partTen,
  sequence,
  text,
  us,
  type Written,
} from "../dicom-writer.ts";
import { ask, isMissing } from "../results/judges.ts";
import { readFileSync, readdirSync } from "node:fs";

const explicitLittle = "1.2.840.10008.1.2.1";
const implicitLittle = "1.2.840.10008.1.2";

const strict: DeidentificationChoices = { dates: "removed", descriptors: "removed", keepsPatient: false };
const how = (
  choices: Partial<DeidentificationChoices> = {},
  areas: Deidentification["areas"] = [],
): Deidentification => ({
  choices: { ...strict, ...choices },
  pseudonym: "ANON-1",
  shiftDays: -400,
  secret: "secret",
  frameIndex: 0,
  areas,
  programVersion: "0.1.0",
});
const noCodec = () => Promise.reject(new Error("no codec is needed"));
const after = async (file: Uint8Array, wanted = how()) => readDicomFile(await deidentifyFile(file, wanted, noCodec));

const secretText = "Bellavista";
const secretDate = "19871203";
const secretUid = "1.2.826.77.1987";

/** An identifying value in the attribute's representation; null if it has none. */
function telling(tag: string): Written | null {
  const vr = standardRepresentation(tag) ?? "LO";
  if (["PN", "LO", "SH", "ST", "LT", "UT", "UC", "CS", "AE", "UR"].includes(vr)) return text(tag, vr, secretText);
  if (vr === "UI") return text(tag, vr, secretUid);
  if (vr === "DA") return text(tag, vr, secretDate);
  if (vr === "DT") return text(tag, vr, `${secretDate}101112`);
  if (vr === "TM") return text(tag, vr, "235958.987");
  if (vr === "AS") return text(tag, vr, "077Y");
  if (vr === "DS" || vr === "IS") return text(tag, vr, "19871203");
  if (vr === "SQ") return sequence(tag, [text("00100010", "PN", secretText), text("00104000", "LT", secretText)]);
  if (["OB", "OW", "UN", "ox", "OF", "OD", "OL"].includes(vr))
    return bytes(tag, vr === "ox" ? "OW" : vr, Buffer.from(`${secretText}!!`));
  return null;
}

const image = [
  text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.1"),
  text("00080060", "CS", "CR"),
  us("00280002", 1),
  text("00280004", "CS", "MONOCHROME2"),
  us("00280010", 2),
  us("00280011", 4),
  us("00280100", 8),
  us("00280101", 8),
  us("00280102", 7),
  us("00280103", 0),
  bytes("7FE00010", "OB", Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])),
];

const profileTags = profileTable.match(/\b[0-9A-F]{8}\b/g) ?? [];
const inBody = profileTags.filter((tag) => Number.parseInt(tag.slice(0, 4), 16) > 2);
const everything = inBody.flatMap((tag) => telling(tag) ?? []);
const privateOnes = [
  text("00091001", "LO", secretText),
  text("00110010", "LO", "ACME 1.0"),
  sequence("00111001", [text("00100010", "PN", secretText)]),
];
const sorted = (elements: readonly Written[]) => [...elements].sort((a, b) => (a.tag < b.tag ? -1 : 1));

function objectWith(elements: readonly Written[], isExplicit = true): Buffer {
  const all = sorted([...image.filter(({ tag }) => !elements.some((other) => other.tag === tag)), ...elements]);
  if (isExplicit) return partTen(explicitLittle, dataSet(...all));
  return partTen(implicitLittle, Buffer.concat(all.map((element) => implicit(element))));
}

/** Action code of a tag in the profile, read independently of the program. */
function saidOf(tag: string): string {
  const line = profileTable.split("\n").find((row) => row.includes(tag)) as string;
  return (line.split("|")[0] as string).trim();
}

function expectProfile(elements: DicomElements, tag: string): void {
  const said = saidOf(tag);
  if (said === "X") {
    const isEmptied = tag === "00102297" || tag === "00102299";
    expect({ tag, there: elements.has(tag) && !isEmptied }).toEqual({ tag, there: false });
    return;
  }
  const value = Buffer.from(elements.bytes(tag) ?? []).toString("latin1");
  expect({ tag, value }).not.toEqual({
    tag,
    value: expect.stringMatching(/Bellavista|19871203|235958|1\.2\.826|077Y/),
  });
  if (said.includes("D") && elements.has(tag)) expect({ tag, length: value.length > 0 }).toEqual({ tag, length: true });
}

describe("the basic profile", () => {
  test("applies the table's action to each attribute", async () => {
    const file = await after(objectWith(everything));
    expect(inBody.length).toBeGreaterThan(600);
    for (const tag of inBody) expectProfile(file, tag);
  });

  test("applies it to the items of a kept sequence, at any depth", async () => {
    const inner = sequence("00081140", sorted(everything.filter(({ tag, vr }) => tag !== "00081140" && vr !== "SQ")));
    const outer = sequence("00082218", [inner]);
    const file = await after(objectWith([outer]));
    const item = file.items("00082218")[0]?.items("00081140")[0] as DicomElements;
    for (const { tag, vr } of everything) if (tag !== "00081140" && vr !== "SQ") expectProfile(item, tag);
  });

  test.each([true, false])(
    "removes all identifying values, also from private groups (explicit: %s)",
    async (isExplicit) => {
      const nested = sequence("00082218", [text("00091001", "LO", secretText), text("00100010", "PN", secretText)]);
      const original = objectWith(
        isExplicit ? [...everything, ...privateOnes, nested] : everything.filter(({ vr }) => vr !== "SQ"),
        isExplicit,
      );
      const file = Buffer.from(await deidentifyFile(original, how(), noCodec)).toString("latin1");
      for (const telling of [secretText, secretDate, secretUid, "235958"]) expect(file).not.toContain(telling);
      expect(
        readDicomFile(Buffer.from(file, "latin1"))
          .tags()
          .filter((tag) => Number.parseInt(tag.slice(0, 4), 16) % 2),
      ).toEqual([]);
    },
  );

  test("removes unknown attributes, and content of unknown representation", async () => {
    const file = await after(
      objectWith([text("0010FFF0", "LO", secretText), bytes("00181008", "UN", Buffer.from(secretText))]),
    );
    expect([file.has("0010FFF0"), file.has("00181008")]).toEqual([false, false]);
  });

  test("keeps sequences with items of undefined length readable", async () => {
    const code = [text("00080100", "SH", "T-D3000"), openSequence("00082220", [text("00080100", "SH", "R")])];
    const file = await after(objectWith([openSequence("00082218", code)]));
    const [item] = file.items("00082218");
    expect(item?.tags()).toEqual(["00080100", "00082220"]);
    expect(item?.items("00082220").map((inner) => [inner.tags(), inner.text("00080100")])).toEqual([
      [["00080100"], "R"],
    ]);
  });

  test("removes unlisted attributes that identify the owner, such as a breed registration", async () => {
    const registered = sequence("00102294", [text("00102295", "LO", secretText)]);
    const table = [
      us("00283002", 1, 0, 8),
      text("00283003", "LO", secretText),
      bytes("00283006", "OW", Buffer.alloc(2)),
    ];
    const file = objectWith([registered, text("00281055", "LO", secretText), sequence("00283010", table)]);
    for (const choices of [how(), how({ descriptors: "cleaned", keepsPatient: true })]) {
      const left = await after(file, choices);
      // The sequence is required in a film of an animal.
      expect([left.has("00102294"), left.items("00102294")]).toEqual([true, []]);
      expect([left.has("00281055"), left.items("00283010")[0]?.tags()]).toEqual([false, ["00283002", "00283006"]]);
    }
    expect((await after(objectWith([text("00102295", "LO", secretText)]))).has("00102295")).toBe(false);
  });

  test.each([true, false])("removes unlisted attributes by their representation (explicit: %s)", async (isExplicit) => {
    const unlisted = [
      ...["00080404", "0008041F", "00081190", "00100033", "00100034", "00100035", "00181003", "00181010", "00181803"],
      ...["00280304", "00280A04", "00286022", "00287007", "00400031", "00400032", "00400033", "00400400", "00081167"],
      ...["00083012", "00089123", "0018991E", "00200242", "00209312", "00209313", "00142006", "00140102", "00143077"],
    ].flatMap((tag) => telling(tag) ?? []);
    const issuers = ["00080051", "00100024", "00400039"].map((tag) =>
      sequence(tag, [text("00400031", "UT", secretText), text("00080100", "SH", secretText)]),
    );
    const nested = sequence("00082218", sorted(unlisted));
    const whole = objectWith([...unlisted, ...(isExplicit ? [...issuers, nested] : [])], isExplicit);
    const wanted = how({ dates: "kept", descriptors: "cleaned", keepsPatient: true });
    const left = Buffer.from(await deidentifyFile(whole, wanted, noCodec)).toString("latin1");
    for (const value of [secretText, secretDate, secretUid, "235958"]) expect(left).not.toContain(value);
    const file = readDicomFile(Buffer.from(left, "latin1"));
    expect(["00080051", "00100024", "00400039"].filter((tag) => file.has(tag))).toEqual([]);
    expect(file.text("00083012")).toMatch(/^2\.25\.\d+$/);
    // The text is required in a file that states how its spacing was calibrated.
    expect(file.text("00280A04")).toBe("REMOVED");
  });

  test("keeps texts on the acquisition, and class UIDs", async () => {
    const kept = [
      text("00080070", "LO", "Maker"),
      text("00081090", "LO", "Model 7"),
      text("00102201", "LO", "Canine"),
      text("00102292", "LO", "Beagle"),
      text("00281054", "LO", "US"),
      text("00080016", "UI", "1.2.840.113619.4.26"),
    ];
    const code = sequence("00082218", [
      text("00080100", "SH", "T-D3000"),
      text("00080102", "SH", "SRT"),
      text("00080104", "LO", "Chest"),
    ]);
    const file = await after(objectWith([...kept, code]));
    expect(kept.map(({ tag }) => file.text(tag))).toEqual([
      "Maker",
      "Model 7",
      "Canine",
      "Beagle",
      "US",
      "1.2.840.113619.4.26",
    ]);
    expect(["00080100", "00080102", "00080104"].map((tag) => file.items("00082218")[0]?.text(tag))).toEqual([
      "T-D3000",
      "SRT",
      "Chest",
    ]);
  });

  test("removes a picture sequence of unknown representation", async () => {
    const hidden = dataSet(text("00100010", "PN", secretText));
    const file = await after(objectWith([bytes("00287000", "UN", hidden)]));
    expect(file.has("00287000")).toBe(false);
  });

  test("keeps the picture's description, and states the method of de-identification", async () => {
    const file = await after(objectWith(everything));
    expect(file.pixelData).toMatchObject({ kind: "native", bytes: Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]) });
    expect({
      name: file.text("00100010"),
      id: file.text("00100020"),
      removed: file.text("00120062"),
      codes: file.items("00120064").map((item) => item.text("00080100")),
      dates: file.text("00280303"),
      sopClass: file.text("00080016"),
      modality: file.text("00080060"),
    }).toEqual({
      name: "ANON-1",
      id: "ANON-1",
      removed: "YES",
      codes: ["113100", "113101"],
      dates: "REMOVED",
      sopClass: "1.2.840.10008.5.1.4.1.1.1",
      modality: "CR",
    });
  });
});

describe("UIDs", () => {
  const uids = [text("00080018", "UI", "1.2.3.1"), text("0020000D", "UI", "1.2.3.2")];
  const referring = sequence("00081140", [
    text("00081150", "UI", "1.2.840.10008.5.1.4.1.1.1"),
    text("00081155", "UI", "1.2.3.1"),
  ]);

  test("are replaced consistently within an export, and differently in another export", async () => {
    const file = await after(objectWith([...uids, referring]));
    const item = file.items("00081140")[0] as DicomFile | undefined;
    expect(item?.text("00081155")).toBe(file.text("00080018"));
    expect(item?.text("00081150")).toBe("1.2.840.10008.5.1.4.1.1.1");
    const other = await after(objectWith([...uids, referring]), { ...how(), secret: "another" });
    expect(other.text("00080018")).not.toBe(file.text("00080018"));
    expect(file.text("00080018")).toMatch(/^2\.25\.\d+$/);
  });
});

describe("a multi-frame file", () => {
  const own = text("00080018", "UI", "1.2.3.1");
  const levels = (frame: number) => Buffer.alloc(8, 10 * (frame + 1));
  const groups = sequence("52009230", ...[0, 1, 2].map((frame) => [us("00189219", frame)]));
  const frames = objectWith([
    own,
    text("00181063", "DS", "40"),
    text("00181065", "DS", "0\\40\\40"),
    text("00280008", "IS", "3"),
    bytes("00280009", "AT", Buffer.from("18006310", "hex")),
    groups,
    bytes("7FE00010", "OB", Buffer.concat([0, 1, 2].map(levels))),
  ]);
  const at = (frameIndex: number, areas: Deidentification["areas"] = []) => ({ ...how({}, areas), frameIndex });

  test("is reduced to the reviewed frame", async () => {
    for (const frameIndex of [0, 1, 2]) {
      const file = await after(frames, at(frameIndex));
      expect(file.pixelData).toMatchObject({ kind: "native", bytes: levels(frameIndex) });
      expect(file.text("00280008")).toBe("1");
      expect(["00280009", "00181063", "00181065"].filter((tag) => file.has(tag))).toEqual([]);
      expect(file.items("52009230").map((item) => item.number("00189219"))).toEqual([frameIndex]);
    }
  });

  test("is blanked in that frame and reduced to it", async () => {
    const file = await after(frames, at(1, [{ x: 0, y: 0, width: 1, height: 0.5 }]));
    expect(file.pixelData).toMatchObject({ bytes: Buffer.from([0, 0, 0, 0, 20, 20, 20, 20]) });
  });

  test("gets a UID for each frame, which references to the frame use", async () => {
    const left = await Promise.all([0, 1, 2].map(async (index) => (await after(frames, at(index))).text("00080018")));
    expect(new Set(left).size).toBe(3);
    const reference = (number: string | null) => [
      text("00081150", "UI", "1.2.840.10008.5.1.4.1.1.1"),
      text("00081155", "UI", "1.2.3.1"),
      ...(number === null ? [] : [text("00081160", "IS", number)]),
    ];
    const references = ["1", "2", "3", null].map(reference);
    const other = await after(objectWith([text("00080018", "UI", "1.2.3.9"), sequence("00081140", ...references)]));
    const items = other.items("00081140");
    expect(items.map((item) => item.text("00081155"))).toEqual([...left, left[0]]);
    expect(items.map((item) => item.has("00081160"))).toEqual([false, false, false, false]);
  });

  test("loses pixels that are not shown", async () => {
    const icon = sequence("00081140", [bytes("7FE00010", "OB", Buffer.from([1, 2]))]);
    const file = await after(objectWith([icon, bytes("7FE00008", "OF", Buffer.alloc(4))]));
    expect([file.has("7FE00008"), file.items("00081140")[0]?.tags()]).toEqual([false, []]);
  });

  test("of a single frame loses further data", async () => {
    const file = await after(objectWith([bytes("7FE00010", "OB", Buffer.concat([0, 1].map(levels)))]));
    expect(file.pixelData).toMatchObject({ bytes: levels(0) });
  });

  const runs = (value: number) =>
    Buffer.concat([
      Buffer.from(Uint32Array.from([1, 64, ...Array<number>(14).fill(0)]).buffer),
      Buffer.from([257 - 8, value]),
    ]);
  const compressed = (syntax: string) => {
    const described = [...image.filter(({ tag }) => tag < "7FE00010"), text("00280008", "IS", "2"), own];
    const body = Buffer.concat([dataSet(...sorted(described)), encapsulated([0, 74], [runs(70), runs(90)])]);
    return partTen(syntax, body);
  };

  test("is reduced to the reviewed frame, uncompressed, if it is compressed", async () => {
    const file = await after(compressed("1.2.840.10008.1.2.5"), at(1));
    expect(file.transferSyntaxUid).toBe(explicitLittle);
    expect(file.pixelData).toMatchObject({ kind: "native", bytes: Buffer.alloc(8, 90) });
  });

  test("is refused in a transfer syntax that cannot be decoded", async () => {
    await expect(after(compressed("1.2.840.10008.1.2.4.102"), at(1))).rejects.toMatchObject({
      code: "UNSUPPORTED_DICOM",
    });
  });
});

describe("the options", () => {
  const dated = [
    text("00080020", "DA", "20260301"),
    text("0008002A", "DT", "20260301101112.5+0100"),
    text("00080030", "TM", "101112"),
  ];

  test("shift all dates by the same days and keep the time of day", async () => {
    const file = await after(objectWith(dated), how({ dates: "shifted" }));
    expect([file.text("00080020"), file.text("0008002A"), file.text("00080030")]).toEqual([
      "20250125",
      "20250125101112.5+0100",
      "101112",
    ]);
  });

  test("empty an invalid date", async () => {
    const file = await after(objectWith([text("00080020", "DA", "20261399")]), how({ dates: "shifted" }));
    expect([file.has("00080020"), file.text("00080020")]).toEqual([true, null]);
  });

  test("keep dates if chosen, and state it", async () => {
    const file = await after(objectWith(dated), how({ dates: "kept" }));
    expect([file.text("00080020"), file.text("00280303")]).toEqual(["20260301", "UNMODIFIED"]);
  });

  test("keep only radiographic terms in descriptions", async () => {
    const described = [text("0008103E", "LO", "Thorax lat. Bello Müller 12.3."), text("00081030", "LO", "Frau Meier")];
    const file = await after(objectWith(described), how({ descriptors: "cleaned" }));
    expect([file.text("0008103E"), file.text("00081030")]).toEqual(["THORAX LAT 3", null]);
  });

  test("keep sex, age and weight but not the date of birth", async () => {
    const patient = [text("00100030", "DA", "20190530"), text("00100040", "CS", "F"), text("00101010", "AS", "007Y")];
    const file = await after(objectWith(patient), how({ keepsPatient: true }));
    expect([file.text("00100030"), file.text("00100040"), file.text("00101010")]).toEqual([null, "F", "007Y"]);
  });
});

describe("the picture", () => {
  test("is blanked in the areas with the darkest grey", async () => {
    const area = { x: 0.5, y: 0, width: 0.5, height: 0.5 };
    const file = await after(objectWith([]), how({}, [area]));
    expect(file.pixelData).toMatchObject({ bytes: Buffer.from([1, 2, 0, 0, 5, 6, 7, 8]) });
    const inverse = await after(objectWith([text("00280004", "CS", "MONOCHROME1")]), how({}, [area]));
    expect(inverse.pixelData).toMatchObject({ bytes: Buffer.from([1, 2, 255, 255, 5, 6, 7, 8]) });
  });

  const deep = (highBit: number, overlayBit: number) => [
    us("00280010", 1),
    us("00280011", 2),
    us("00280100", 16),
    us("00280101", 12),
    us("00280102", highBit),
    us("60000010", 1),
    us("60000100", 16),
    us("60000102", overlayBit),
  ];
  const wide = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);

  test.each([true, false])("loses an overlay, also in unused bits (explicit: %s)", async (isExplicit) => {
    const file = await after(objectWith([...deep(11, 15), bytes("7FE00010", "OW", wide(0x8123, 0x0456))], isExplicit));
    expect(file.tags().filter((tag) => tag.startsWith("60"))).toEqual([]);
    expect(file.pixelData).toMatchObject({ bytes: wide(0x0123, 0x0456) });
  });

  test("loses an overlay in the low bits", async () => {
    const file = await after(objectWith([...deep(15, 0), bytes("7FE00010", "OW", wide(0x1231, 0x4560))]));
    expect([file.number("00280101"), file.number("00280102")]).toEqual([12, 11]);
    expect(file.pixelData).toMatchObject({ bytes: wide(0x0123, 0x0456) });
  });

  test("loses an overlay in the bits of RLE samples", async () => {
    const planes = Buffer.concat([Buffer.from([1, 0x81, 0x04, 0]), Buffer.from([1, 0x23, 0x56, 0])]);
    const header = Buffer.from(Uint32Array.from([2, 64, 68, ...Array<number>(13).fill(0)]).buffer);
    const described = [...image.filter(({ tag }) => tag < "00280010"), us("00280103", 0), ...deep(11, 15)];
    const body = Buffer.concat([dataSet(...sorted(described)), encapsulated([], [Buffer.concat([header, planes])])]);
    const reader = createDicomReader();
    try {
      const left = await reader.deidentified(partTen("1.2.840.10008.1.2.5", body), how());
      expect(readDicomFile(Buffer.from(left)).pixelData).toMatchObject({ bytes: wide(0x0123, 0x0456) });
    } finally {
      await reader.close();
    }
  });

  test("is preserved or blanked in every transfer syntax", async () => {
    const reader = createDicomReader();
    try {
      const folder = new URL("../../../fixtures/dicom/", import.meta.url);
      for (const name of readdirSync(folder).filter((file) => file.endsWith(".dcm"))) {
        const original = readFileSync(new URL(name, folder));
        const before = await reader.frame(original, 0);
        const copy = await reader.deidentified(original, how());
        expect((await reader.frame(copy, 0)).samples, name).toEqual(before.samples);
        const blanked = await reader.frame(
          await reader.deidentified(original, how({}, [{ x: 0, y: 0, width: 1, height: 0.5 }])),
          0,
        );
        const half = blanked.samples.subarray(0, Math.floor(blanked.heightPx / 2) * blanked.widthPx);
        expect(new Set(half).size, name).toBe(1);
        expect([blanked.widthPx, blanked.heightPx], name).toEqual([before.widthPx, before.heightPx]);
      }
    } finally {
      await reader.close();
    }
  });

  test.skipIf(isMissing("dcmdump"))("is in a file that DCMTK reads without a warning", async () => {
    const copy = await deidentifyFile(objectWith([...everything, ...privateOnes]), how(), noCodec);
    const { status, lines } = ask("dcmdump", copy);
    expect([status, lines.filter((line) => /^[WEF]:/.test(line))]).toEqual([0, []]);
  });
});
