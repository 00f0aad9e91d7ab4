import type { ReferenceRange } from "../../../core/cardiac/reference/reference-range.ts";
import { limitsInWords } from "../../../core/cardiac/reference/reference-words.ts";
import { useFormat } from "./format.ts";
import { useText } from "./language.ts";

/** Formats the limits of a reference range with their unit: "8.5–10.5 v", "up to 1.8 v", "below 2.5 v". */
export function useRangeLimits(): (range: Pick<ReferenceRange, "low" | "high" | "isHighExcluded">) => string {
  const text = useText();
  const format = useFormat();
  return (range) => limitsInWords(range, "handout", format.score, text);
}
