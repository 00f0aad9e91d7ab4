import { expect, it } from "vitest";
import { storedInstance } from "../../core/contract/desktop/network/dicom-instance.ts";

/** Attributes of version 1.0.0. Do not add later ones: this film stands for those that were stored without them. */
const stored = {
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  sopInstanceUid: "1.2.3.1",
  studyInstanceUid: null,
  seriesInstanceUid: null,
  seriesNumber: null,
  instanceNumber: null,
  patient: {
    id: "P-4711",
    issuer: null,
    uuid: null,
    name: "Bella",
    responsiblePerson: null,
    species: null,
    speciesText: null,
    breed: null,
    sex: null,
    isNeutered: null,
    age: null,
    birthDate: null,
  },
  studyDescription: null,
  seriesDescription: null,
  accessionNumber: null,
  modality: null,
  bodyPart: null,
  viewPosition: null,
  laterality: null,
  takenAt: null,
  device: null,
  institution: null,
  widthPx: null,
  heightPx: null,
  frames: 1,
  spacing: null,
  isRadiograph: true,
};

it("reads a DICOM film that was stored before later attributes were added", () => {
  expect(storedInstance(JSON.stringify(stored))).toMatchObject(stored);
});
