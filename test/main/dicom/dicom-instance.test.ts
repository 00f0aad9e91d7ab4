import { describe, expect, test } from "vitest";
import { readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { describeInstance } from "../../../main/dicom/dicom-instance.ts";
import { dicomMoment } from "../../../main/dicom/elements/dicom-time.ts";
import { patientUuid } from "../../../main/dicom/patient-uuid.ts";
import { dataSet, sequence, text, us, type Written } from "./dicom-writer.ts";

const describeOf = (...elements: Written[]) =>
  describeInstance(readDicomFile(dataSet(text("00080005", "CS", "ISO_IR 192"), ...elements)));

describe("describeInstance", () => {
  test("returns all attributes of a file", () => {
    const said = describeOf(
      text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
      text("00080018", "UI", "1.2.3.4"),
      text("0008002A", "DT", "20250203101500.5+0100"),
      text("00080060", "CS", "DX"),
      text("00080070", "LO", "Maker"),
      text("00080080", "LO", "Praxis am See"),
      text("00081030", "LO", "Thorax"),
      text("0008103E", "LO", "Seitlich"),
      text("00081090", "LO", "Wand 2"),
      text("00100010", "PN", "Sommer^Bella"),
      text("00100020", "LO", "P-77"),
      text("00100021", "LO", "See"),
      text("00100030", "DA", "20190530"),
      text("00100040", "CS", "F"),
      text("00101010", "AS", "005Y"),
      text("00102201", "LO", "Canine"),
      text("00102203", "CS", "ALTERED"),
      text("00102292", "LO", "Beagle"),
      text("00102297", "PN", "Sommer^Änne^^Dr."),
      text("00180015", "CS", "CHEST"),
      text("00181114", "DS", "1.25"),
      text("00181164", "DS", "0.15\\0.1"),
      text("00185101", "CS", "LL"),
      text("0020000D", "UI", "1.2.3"),
      text("0020000E", "UI", "1.2.3.1"),
      text("00200011", "IS", "2"),
      text("00200013", "IS", "3"),
      text("00200062", "CS", "L"),
      us("00280010", 2400),
      us("00280011", 3000),
    );
    expect(said).toEqual({
      sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
      sopInstanceUid: "1.2.3.4",
      studyInstanceUid: "1.2.3",
      seriesInstanceUid: "1.2.3.1",
      seriesNumber: 2,
      instanceNumber: 3,
      patient: {
        id: "P-77",
        issuer: "See",
        uuid: patientUuid("See", "P-77"),
        name: "Bella",
        responsiblePerson: "Dr. Änne Sommer",
        species: "dog",
        speciesText: "Canine",
        breed: "Beagle",
        sex: "female",
        isNeutered: true,
        age: "005Y",
        birthDate: "2019-05-30",
      },
      studyDescription: "Thorax",
      seriesDescription: "Seitlich",
      accessionNumber: null,
      modality: "DX",
      bodyPart: "CHEST",
      viewPosition: "LL",
      laterality: "L",
      takenAt: "2025-02-03T09:15:00.000Z",
      device: "Maker Wand 2",
      institution: "Praxis am See",
      widthPx: 3000,
      heightPx: 2400,
      frames: 1,
      spacing: { rowMm: 0.08, columnMm: 0.08, kind: "magnification-corrected" },
      isRadiograph: true,
      notices: [],
    });
  });

  test("reads species, breed and view from codes without a text", () => {
    const coded = (tag: string, code: string, meaning: string) =>
      sequence(tag, [text("00080100", "SH", code), text("00080104", "LO", meaning)]);
    const { patient, viewPosition } = describeOf(
      coded("00102202", "448169003", "Felis catus"),
      coded("00102293", "132599001", "Burmese cat"),
      coded("00540220", "399198007", "left lateral"),
    );
    expect([patient.species, patient.speciesText, patient.breed, viewPosition]).toEqual([
      "cat",
      "Felis catus",
      "Burmese cat",
      "left lateral",
    ]);
  });

  test("reads the owner from the animal's family name, and other species as other", () => {
    const { patient } = describeOf(text("00100010", "PN", "Farm am Fluss^Blitz"), text("00102201", "LO", "Equine"));
    expect([patient.name, patient.responsiblePerson, patient.species, patient.uuid]).toEqual([
      "Blitz",
      "Farm am Fluss",
      "other",
      null,
    ]);
    expect(describeOf(text("00100010", "PN", "Rex")).patient).toMatchObject({
      name: "Rex",
      responsiblePerson: null,
      species: null,
    });
  });

  test.each([
    ["DR", "1.2.840.10008.5.1.4.1.1.1.1", true],
    ["X-RAY", "1.2.840.10008.5.1.4.1.1.1.1.1", true],
    ["XR", "1.2.840.10008.5.1.4.1.1.1", true],
    ["DX", "1.2.840.10008.5.1.4.1.1.7", true],
    ["XA", "1.2.840.10008.5.1.4.1.1.12.1", false],
    ["CT", "1.2.840.10008.5.1.4.1.1.2", false],
  ])("classifies modality %s of class %s as a radiograph: %s", (modality, sopClass, isRadiograph) => {
    const said = describeOf(text("00080016", "UI", sopClass), text("00080060", "CS", modality));
    expect(said.isRadiograph).toBe(isRadiograph);
  });

  test.each([
    ["no attribute", [], null],
    ["Pixel Spacing", [text("00280030", "DS", "0.2\\0.2")], { rowMm: 0.2, columnMm: 0.2, kind: "pixel" }],
    [
      "calibrated and detector spacing",
      [text("00280030", "DS", "0.12\\0.12"), text("00181164", "DS", "0.15\\0.15")],
      { rowMm: 0.12, columnMm: 0.12, kind: "pixel" },
    ],
    [
      "two equal spacings",
      [text("00280030", "DS", "0.15\\0.15"), text("00181164", "DS", "0.15\\0.15")],
      { rowMm: 0.15, columnMm: 0.15, kind: "imager" },
    ],
    [
      "a magnification below one",
      [text("00181164", "DS", "0.15\\0.15"), text("00181114", "DS", "0.5")],
      { rowMm: 0.15, columnMm: 0.15, kind: "imager" },
    ],
    ["text instead of numbers", [text("00280030", "DS", "wide\\wider")], null],
  ])("derives the spacing from %s", (_, elements, spacing) => {
    expect(describeOf(text("00100010", "PN", "Rex"), ...elements).spacing).toEqual(spacing);
  });
});

test("derives the same patient UUID on every computer, and another for another issuer", () => {
  expect(patientUuid("See", "P-77")).toBe(patientUuid("See", "P-77"));
  expect(patientUuid("See", "P-77")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(
    new Set([
      patientUuid("See", "P-77"),
      patientUuid("Tal", "P-77"),
      patientUuid(null, "P-77"),
      patientUuid("SeeP", "-77"),
    ]).size,
  ).toBe(4);
  // Python's uuid.uuid5 of the namespace and the text ["","1"].
  expect(patientUuid(null, "1")).toBe("ff77b15b-3540-5c78-b869-479ab7ae0e62");
});

test("returns null for an invalid date and uses the file's time zone", () => {
  expect([
    dicomMoment("20250231", null, null),
    dicomMoment("", "10", null),
    dicomMoment("19000000", null, null),
  ]).toEqual([null, null, null]);
  expect(dicomMoment("2025.02.03", "1015", "-0530")?.toISOString()).toBe("2025-02-03T15:45:00.000Z");
});

describe("a placeholder date", () => {
  test.each(["19000101", "00000000", "18991230", "19700101", "19800101", "99991231", "1900-01-01", "abc"])(
    "is ignored beside a valid date: %s",
    (placeholder) => {
      const { takenAt } = describeOf(
        text("00080020", "DA", "20240305"),
        text("00080022", "DA", placeholder),
        text("0008002A", "DT", `${placeholder}120000`),
        text("00080030", "TM", "101500"),
        text("00080201", "SH", "+0000"),
      );
      expect(takenAt).toBe("2024-03-05T10:15:00.000Z");
    },
  );
  test("results in null without another date", () => {
    const { takenAt, patient } = describeOf(text("00080020", "DA", "19000101"), text("00100030", "DA", "19000101"));
    expect([takenAt, patient.birthDate]).toEqual([null, null]);
  });
});
