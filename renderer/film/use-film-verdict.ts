import { comparedAnimal } from "../../core/cardiac/reference/compared-animal.ts";
import { referenceRangeFor } from "../../core/cardiac/reference/reference-ranges.ts";
import { filmVerdict, type FilmVerdict } from "../../core/cardiac/verdict/film-verdict.ts";
import type { VerdictFacts } from "../../core/cardiac/verdict/verdict-facts.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import { useProgram } from "../state/program.ts";

/** Returns a function that judges readings against the VHS range of the film's or patient's species and breed. */
export function useFilmVerdict({
  patient,
  dicom,
}: Pick<Film, "patient" | "dicom">): (facts: VerdictFacts) => FilmVerdict | null {
  const ownRanges = useProgram((state) => state.ownRanges);
  const { species, breed } = comparedAnimal(patient, dicom?.patient ?? null);
  return (facts) => filmVerdict(facts, referenceRangeFor("vhs", species, breed, ownRanges));
}
