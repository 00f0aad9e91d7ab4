import { measures, type MeasureName } from "../measures/measures.ts";
import type { ScoreInterval } from "../score-intervals.ts";
import { shownScore } from "../shown-score.ts";
import { breeds, type BreedKey, type ReferenceRange } from "./reference-range.ts";

/**
 * The breed meant by what a clinic wrote; case, accents, spaces and hyphens do not matter.
 *
 * @returns null when there is no range for it
 */
export function breedOf(written: string): BreedKey | null {
  const wanted = plain(written);
  for (const key of Object.keys(breeds) as BreedKey[]) {
    if (plain(key) === wanted || breeds[key].some((name) => plain(name) === wanted)) return key;
  }
  return null;
}

/**
 * The range to compare a value with: that of the breed, otherwise that of dogs, or of cats, in general.
 *
 * @param species  a cat has no canine range
 * @param breed    as the clinic wrote it
 */
export function referenceRangeFor(name: MeasureName, species: "dog" | "cat", breed: string): ReferenceRange | null {
  const key = breedOf(breed);
  const references = measures.find((measure) => measure.name === name)?.references ?? [];
  const ranges = references.filter((range) => range.species === species);
  return (
    ranges.find((range) => key !== null && range.breed === key) ?? ranges.find((range) => range.breed === null) ?? null
  );
}

/**
 * Where a score lies relative to a range, both ends included in it; score and limits are compared as they are shown.
 */
export function placeInRange(value: number, { low, high }: ReferenceRange): "below" | "within" | "above" {
  const shown = shownScore(value);
  if (low !== null && shown < shownScore(low)) return "below";
  return shown > shownScore(high) ? "above" : "within";
}

/** Whether a limit of the range lies in a score's interval: the score alone then does not say on which side it is. */
export function isBorderline(interval: ScoreInterval | null, range: ReferenceRange): boolean {
  return interval !== null && placeInRange(interval.low, range) !== placeInRange(interval.high, range);
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
