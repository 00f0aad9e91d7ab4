import { vlasRanges } from "../reference/published-ranges.ts";
import { vertebraeSpanned } from "../ruler/vertebral-ruler.ts";
import type { Measure } from "./measure.ts";

/**
 * Vertebral left atrial size: from the dorsal end of the long axis to the caudal border of the left atrium.
 *
 * @see Malcolm et al. 2018, J Am Vet Med Assoc 253:1038–1045
 */
export const vlas = {
  name: "vlas",
  label: "VLAS",
  meaning: "Vertebral left atrial size",
  placedBy: "networks",
  unit: "v",
  valid: { least: 0.5, most: 6 },
  scale: { from: 1, to: 4 },
  references: vlasRanges,
  paperColour: "#a8447a",
  line: {
    point: "VLAS",
    pointMeaning: "Caudal border of the left atrium at the caudal vena cava",
    from: ({ heart_top }) => heart_top,
    direction: null,
    colour: "#f4a0c0",
    dash: [3, 2],
  },
  read: (_axes, { edges }, linePx) => vertebraeSpanned(linePx, edges),
} as const satisfies Measure;
