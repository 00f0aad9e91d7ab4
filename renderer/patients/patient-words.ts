import { ageAt, ageText } from "../../core/age.ts";
import type { DicomInstance } from "../../core/contract/desktop/network/dicom-instance.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import type { Say } from "../../core/language/say.ts";
import { localDay } from "../../core/local-day.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

export function usePatientWords(): (patient: Patient, takenAt?: string) => string {
  const text = useText();
  const format = useFormat();
  return ({ species, breed, sex, isNeutered, birthDate, weightKg, number }, takenAt) =>
    [
      species === null && text("result.speciesUnknown"),
      breed || (species && text(`films.species_${species}`)),
      sexInWords({ sex, isNeutered }, text),
      birthDate && takenAt && ageAtFilm(birthDate, takenAt, text),
      weightKg !== null && `${format.number(weightKg, 1)} kg`,
      number,
    ]
      .filter(Boolean)
      .join(" · ");
}

type AnimalInFile = Pick<
  DicomInstance["patient"],
  "breed" | "speciesText" | "sex" | "isNeutered" | "age" | "birthDate"
>;

export function useAnimalInFileWords(): (animal: AnimalInFile, takenAt: string) => string {
  const text = useText();
  return ({ breed, speciesText, sex, isNeutered, age, birthDate }, takenAt) =>
    [
      breed || speciesText,
      sexInWords({ sex, isNeutered }, text),
      (birthDate && ageAtFilm(birthDate, takenAt, text)) || (age && ageInWords(age, text)),
    ]
      .filter(Boolean)
      .join(" · ");
}

/** Sex and whether the animal is neutered, as far as stated; "" without either. */
export function sexInWords({ sex, isNeutered }: Pick<AnimalInFile, "sex" | "isNeutered">, text: Say): string {
  return [sex && text(`films.sex_${sex}`), isNeutered !== null && text(`films.neutered_${isNeutered ? "yes" : "no"}`)]
    .filter(Boolean)
    .join(" ");
}

function ageAtFilm(birthDate: string, takenAt: string, text: Say): string | null {
  const age = ageAt(birthDate, localDay(new Date(takenAt)));
  return age && text("films.ageAtFilm", { age: ageText(age, text) });
}

/** Formats a DICOM age: `003Y` as "3 years"; other values are shown unchanged. */
export function ageInWords(age: string, text: Say): string {
  const [, count, unit] = /^(\d{1,3})([DWMY])$/.exec(age) ?? [];
  return unit ? text(`studies.age_${unit as "D" | "W" | "M" | "Y"}`, { count: Number(count) }) : age;
}
