import { measures, type MeasureName } from "../measures/measures.ts";
import type { ScoreInterval } from "../score-intervals.ts";
import { shownScore } from "../shown-score.ts";
import type { OwnRange } from "./own-range.ts";
import { breeds, published, type BreedKey, type ReferenceRange } from "./reference-range.ts";

/** Breed of a name typed by a clinic, ignoring case, accents, spaces and hyphens; null without a range. */
export function breedOf(written: string): BreedKey | null {
  const wanted = plain(written);
  for (const key of Object.keys(breeds) as BreedKey[]) {
    if (plain(key) === wanted || breeds[key].some((name) => plain(name) === wanted)) return key;
  }
  return null;
}

/** The range of the breed, otherwise the general one of the species. Ranges of the clinic take precedence. */
export function referenceRangeFor(
  name: MeasureName,
  species: "dog" | "cat",
  breed: string,
  own: readonly OwnRange[] = [],
): ReferenceRange | null {
  const key = breedOf(breed);
  const isOfBreed = (range: ReferenceRange) =>
    range.breed !== null && (key === null ? plain(range.breed) === plain(breed) : range.breed === key);
  const references = measures.find((measure) => measure.name === name)?.references ?? [];
  const ownOnes = own.filter(({ measure }) => measure === name).map(ofClinic);
  const ranges = [...ownOnes, ...references].filter((range) => range.species === species);
  return ranges.find(isOfBreed) ?? ranges.find((range) => range.breed === null) ?? null;
}

/** Whether two names typed by a clinic refer to the same breed. Two empty names do. */
export function isSameBreed(one: string, other: string): boolean {
  const [key, otherKey] = [breedOf(one), breedOf(other)];
  return key === null && otherKey === null ? plain(one) === plain(other) : key === otherKey;
}

export function breedName(breed: string): string {
  return Object.hasOwn(breeds, breed) ? breeds[breed as BreedKey][0] : breed;
}

function ofClinic({ species, breed, low, high, source }: OwnRange): ReferenceRange {
  return {
    species,
    breed: breed === "" ? null : (breedOf(breed) ?? breed),
    low,
    high,
    band: "clinic_limits",
    source: published(source, null),
  };
}

/** Compares as displayed. Limits are part of the range unless it states otherwise. */
export function placeInRange(value: number, range: ReferenceRange): "below" | "within" | "above" {
  const [shown, high] = [shownScore(value), shownScore(range.high)];
  if (range.low !== null && shown < shownScore(range.low)) return "below";
  return shown > high || (range.isHighExcluded && shown === high) ? "above" : "within";
}

/** Whether an interval contains a limit of the range, so that the score alone is not conclusive. */
export function isBorderline(interval: ScoreInterval | null, range: ReferenceRange): boolean {
  return interval !== null && placeInRange(interval.low, range) !== placeInRange(interval.high, range);
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
