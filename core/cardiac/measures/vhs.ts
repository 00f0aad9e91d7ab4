import { AppError } from "../../app-error.ts";
import { distancePx, type Point } from "../points.ts";
import { vhsRanges } from "../reference/published-ranges.ts";
import { vertebraeSpanned } from "../ruler/vertebral-ruler.ts";
import type { Measure } from "./measure.ts";

export const vhs = {
  name: "vhs",
  label: "VHS",
  meaning: "Vertebral heart score",
  placedBy: "networks",
  unit: "v",
  valid: { least: 4, most: 20 },
  scale: { from: 6, to: 15 },
  references: vhsRanges,
  paperColour: "#1d5c82",
  line: null,
  read: ({ heart_top, heart_bottom, heart_right, heart_left }, { edges }) =>
    vertebralHeartScore(distancePx(heart_top, heart_bottom), distancePx(heart_right, heart_left), edges),
} as const satisfies Measure;

/**
 * Computes the vertebral heart score of a lateral thoracic radiograph. Pixel spacing cancels, so no calibration is
 * needed.
 *
 * @param longPx   cardiac long axis [px], > 0
 * @param shortPx  cardiac short axis [px], > 0
 * @param edges    cranial edges of T4, T5, … [px], in order, n >= 2
 * @returns        score [v], unrounded
 * @throws AppError AXIS_DEGENERATE, EDGES_COINCIDE
 * @see Buchanan & Bücheler 1995, JAVMA 206:194–199
 */
export function vertebralHeartScore(longPx: number, shortPx: number, edges: readonly Point[]): number {
  if (!(longPx > 0) || !(shortPx > 0)) throw new AppError("AXIS_DEGENERATE");
  return vertebraeSpanned(longPx, edges) + vertebraeSpanned(shortPx, edges);
}
