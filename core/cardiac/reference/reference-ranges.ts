import { measures, type MeasureName } from "../measures/measures.ts";
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
 * The range to compare a dog's value with: that of its breed, otherwise that of dogs in general.
 *
 * @param species  a cat has no canine range
 * @param breed    as the clinic wrote it
 */
export function referenceRangeFor(name: MeasureName, species: "dog" | "cat", breed: string): ReferenceRange | null {
  if (species !== "dog") return null;
  const key = breedOf(breed);
  const ranges = measures.find((measure) => measure.name === name)?.references ?? [];
  return (
    ranges.find((range) => key !== null && range.breed === key) ?? ranges.find((range) => range.breed === null) ?? null
  );
}

/** Where a score lies relative to a range, both ends included in it. */
export function placeInRange(value: number, range: ReferenceRange): "below" | "within" | "above" {
  if (range.low !== null && value < range.low) return "below";
  return value > range.high ? "above" : "within";
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
