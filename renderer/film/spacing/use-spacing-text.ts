import { useFormat } from "../../ui/language/format.ts";
import type { Spacing } from "./spacing.ts";

/** Formats a pixel's size: one figure if square, else width × height. */
export function useSpacingText(): (spacing: Spacing) => string {
  const format = useFormat();
  return ({ columnMm, rowMm }) =>
    `${columnMm === rowMm ? format.number(columnMm, 4) : `${format.number(columnMm, 4)} × ${format.number(rowMm, 4)}`} mm`;
}
