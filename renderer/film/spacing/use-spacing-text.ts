import { useFormat } from "../../ui/language/format.ts";
import type { Spacing } from "./spacing.ts";

/** A pixel's size in words: one figure for a square one, else width and height. */
export function useSpacingText(): (spacing: Spacing) => string {
  const format = useFormat();
  return ({ columnMm, rowMm }) =>
    `${columnMm === rowMm ? format.number(columnMm, 4) : `${format.number(columnMm, 4)} × ${format.number(rowMm, 4)}`} mm`;
}
