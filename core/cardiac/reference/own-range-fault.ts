import { because, type Reason } from "../../app-error.ts";
import { measures } from "../measures/measures.ts";
import { shownScore } from "../shown-score.ts";
import type { OwnRange, OwnRangeFields } from "./own-range.ts";
import { isSameBreed } from "./reference-ranges.ts";

type OwnRangeFault = { readonly field: "source" | "low" | "high" | "breed"; readonly reason: Reason };

/** Compares limits as displayed. None of the clinic's other ranges may have the same breed and measure. */
export function faultOfOwnRange(range: OwnRangeFields, others: readonly OwnRange[]): OwnRangeFault | null {
  const { low, high, source, species, breed, measure } = range;
  const valid = measures.find(({ name }) => name === measure)?.valid ?? { least: 0, most: 0 };
  const isValid = (limit: number) => limit >= valid.least && limit <= valid.most;
  if (low !== null && !isValid(low)) return { field: "low", reason: because("rangeLow", valid) };
  if (!isValid(high)) return { field: "high", reason: because("rangeHigh", valid) };
  if (low !== null && shownScore(low) >= shownScore(high)) return { field: "low", reason: because("rangeOrder") };
  if (source.trim() === "") return { field: "source", reason: because("rangeSource") };
  const isThere = others.some(
    (other) => other.species === species && other.measure === measure && isSameBreed(other.breed, breed),
  );
  return isThere ? { field: "breed", reason: because("rangeThere") } : null;
}
