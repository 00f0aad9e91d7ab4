import { AppError } from "../../app-error.ts";
import { distancePx, type Point } from "../points.ts";
import { bagardi, ofLimits, ofMean, ofSheet, published } from "../reference/reference-range.ts";
import { vertebraeSpanned } from "../ruler/vertebral-ruler.ts";
import type { Measure } from "./measure.ts";

const buchanan = published("Buchanan & Bücheler 1995, J Am Vet Med Assoc 206:194–199", "PMID 7751220");
const brittany = published("Vet Sci 2021, 8:300", "doi:10.3390/vetsci8120300", "right_lateral");
const luciani = published(
  "Luciani et al. 2019, Anat Histol Embryol 48:264–267",
  "doi:10.1111/ahe.12434",
  "twenty_dogs",
);
const bodh = published("Bodh et al. 2016, Vet World 9:371–376", "PMC4864478", "right_lateral");

/** Vertebral heart score: both axes of the heart in vertebrae. */
export const vhs = {
  name: "vhs",
  label: "VHS",
  meaning: "Vertebral heart score",
  placedBy: "networks",
  unit: "v",
  valid: { least: 4, most: 20 },
  scale: { from: 7, to: 14 },
  references: [
    ofLimits(buchanan, { mean: 9.7, standardDeviation: 0.5, low: 8.5, high: 10.5 }),
    ofMean("cavalier_king_charles_spaniel", 10.08, 0.56, bagardi),
    ofMean("brittany", 10.6, 0.2, brittany),
    ofMean("australian_cattle_dog", 10.5, 0.4, luciani),
    ofMean("labrador_retriever", 10.39, 0.19, bodh),
    ofMean("indian_spitz", 10.21, 0.13, bodh),
    ofMean("mongrel", 9.82, 0.21, bodh),
    ofSheet("boston_terrier", 10.3, 13.1),
    ofSheet("boxer", 10.8, 12.4),
    ofSheet("bulldog", 11, 14.4),
    ofSheet("pomeranian", 9.6, 11.4),
  ],
  paperColour: "#1d5c82",
  line: null,
  read: ({ heart_top, heart_bottom, heart_right, heart_left }, { edges }) =>
    vertebralHeartScore(distancePx(heart_top, heart_bottom), distancePx(heart_right, heart_left), edges),
} as const satisfies Measure;

/**
 * Vertebral heart score of a lateral thoracic radiograph.
 * Pixel spacing cancels, so no calibration is needed.
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
