import { ageAt, ageText } from "../../core/age.ts";
import type { Patient } from "../../core/contract/desktop/patients.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

/** Species, breed, sex, weight and the practice's number of a patient, and its age on a day where one is given. */
export function usePatientWords(): (patient: Patient, takenAt?: string) => string {
  const text = useText();
  const format = useFormat();
  const ageOf = (birthDate: string, takenAt: string) => {
    const age = ageAt(birthDate, takenAt);
    return age && text("films.ageAtFilm", { age: ageText(age, text) });
  };
  return ({ species, breed, sex, isNeutered, birthDate, weightKg, number }, takenAt) =>
    [
      species === null && text("result.speciesUnknown"),
      breed || (species && text(`films.species_${species}`)),
      [sex && text(`films.sex_${sex}`), isNeutered !== null && text(`films.neutered_${isNeutered ? "yes" : "no"}`)]
        .filter(Boolean)
        .join(" "),
      birthDate && takenAt && ageOf(birthDate, takenAt),
      weightKg !== null && `${format.number(weightKg, 1)} kg`,
      number,
    ]
      .filter(Boolean)
      .join(" · ");
}
