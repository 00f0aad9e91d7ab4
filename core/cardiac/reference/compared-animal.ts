/** Whose ranges a film is compared with. `isSpeciesKnown` false: nothing says what animal it is, a dog is assumed. */
export type ComparedAnimal = {
  readonly species: "dog" | "cat";
  readonly breed: string;
  readonly isSpeciesKnown: boolean;
};

/** The animal that a film's DICOM file names; null for a picture. */
export type AnimalInFile = {
  readonly species: "dog" | "cat" | "other" | null;
  readonly breed?: string | null;
} | null;

/**
 * Whose ranges count for a film: its patient's, otherwise those of the animal that its file names.
 *
 * @param patient  null for a film that is nobody's; its species null where nobody has said it
 */
export function comparedAnimal(
  patient: { readonly species: "dog" | "cat" | null; readonly breed: string } | null,
  inFile: AnimalInFile,
): ComparedAnimal {
  if (patient?.species) return { species: patient.species, breed: patient.breed, isSpeciesKnown: true };
  const said = inFile?.species;
  const breed = patient?.breed || (inFile?.breed ?? "");
  return said === "dog" || said === "cat"
    ? { species: said, breed, isSpeciesKnown: true }
    : { species: "dog", breed: said === "other" ? "" : breed, isSpeciesKnown: false };
}
