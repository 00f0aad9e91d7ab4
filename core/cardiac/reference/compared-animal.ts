/** Animal whose ranges apply to a film. If `isSpeciesKnown` is false, the ranges are those of dogs. */
export type ComparedAnimal = {
  readonly species: "dog" | "cat";
  readonly breed: string;
  readonly isSpeciesKnown: boolean;
};

/** Animal stated in a film's DICOM file; null if the film is not a DICOM file. */
export type AnimalInFile = {
  readonly species: "dog" | "cat" | "other" | null;
  readonly breed?: string | null;
} | null;

export function comparedAnimal(
  patient: { readonly species: "dog" | "cat" | null; readonly breed: string } | null,
  inFile: AnimalInFile,
): ComparedAnimal {
  if (patient?.species) return { species: patient.species, breed: patient.breed, isSpeciesKnown: true };
  const stated = inFile?.species;
  const breed = patient?.breed || (inFile?.breed ?? "");
  return stated === "dog" || stated === "cat"
    ? { species: stated, breed, isSpeciesKnown: true }
    : { species: "dog", breed: stated === "other" ? "" : breed, isSpeciesKnown: false };
}
