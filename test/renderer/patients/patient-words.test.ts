import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import { useAnimalInFileWords } from "../../../renderer/patients/patient-words.ts";

type Animal = Parameters<ReturnType<typeof useAnimalInFileWords>>[0];

const nothing: Animal = { breed: null, speciesText: null, sex: null, isNeutered: null, age: null, birthDate: null };
const Said = ({ animal }: { readonly animal: Animal }) => useAnimalInFileWords()(animal, "2025-02-03T10:15:00.000Z");
const said = (animal: Partial<DicomInstance["patient"]>) =>
  renderToStaticMarkup(createElement(Said, { animal: { ...nothing, ...animal } }));

test("describes the animal in a file by breed, sex and age, as far as stated", () => {
  expect(said({ breed: "Beagle", speciesText: "Canine", sex: "female", isNeutered: true, age: "003Y" })).toBe(
    "Beagle · female neutered · 3 years",
  );
  expect(said({ speciesText: "Feline", birthDate: "2019-05-30", age: "005Y" })).toBe(
    "Feline · 5 years 8 months at the time of the film",
  );
  expect(said({})).toBe("");
});

test("counts the age on the local day of the film", () => {
  vi.stubEnv("TZ", "Pacific/Kiritimati");
  const onBirthday = said({ birthDate: "2019-02-04" });
  vi.unstubAllEnvs();
  expect(onBirthday).toBe("6 years at the time of the film");
});
