import type { AxisEnds } from "../landmarks.ts";
import type { Point } from "../points.ts";
import { ofLimits, published } from "../reference/reference-range.ts";
import { vertebraeSpanned } from "../ruler/vertebral-ruler.ts";
import { crossingOfAxes } from "../silhouette/square-axes.ts";
import type { Measure } from "./measure.ts";

/**
 * Cut-off for an enlarged left atrium (LA/Ao > 1.6), from 31 dogs without and 46 with enlargement: sensitivity 93.5 %,
 * specificity 96.8 %.
 */
const salguero = published("Sánchez Salguero et al. 2018, Ir Vet J 71:25", "doi:10.1186/s13620-018-0137-x");

/**
 * Radiographic left atrial dimension: from the crossing of the cardiac axes, along the bisector of the right angle
 * between the dorsal half of the long axis and the caudal half of the short axis, to the dorsal edge of the left
 * atrium. The authors compare it with the vertebral body of T4; Corvet lays it along the column from T4, as for VHS and
 * VLAS.
 *
 * @see Sánchez Salguero et al. 2018, Ir Vet J 71:25
 */
export const rlad = {
  name: "rlad",
  label: "RLAD",
  meaning: "Radiographic left atrial dimension",
  placedBy: "person",
  unit: "v",
  valid: { least: 0.5, most: 6 },
  scale: { from: 0.5, to: 3.5 },
  references: [ofLimits(salguero, { low: null, high: 1.8, isHighExcluded: true })],
  paperColour: "#5b4bb5",
  line: {
    point: "RLAD",
    pointMeaning: "Dorsal edge of the left atrium on the bisector of the axes",
    from: (axes) => crossingOfAxes(axes)?.at ?? null,
    direction: bisector,
    colour: "#a5e07a",
    dash: [4, 2],
  },
  read: (_axes, { edges }, linePx) => vertebraeSpanned(linePx, edges),
} as const satisfies Measure;

/** Unit vector between dorsal and caudal; null if an axis has no length or both point in opposite directions. */
function bisector({ heart_top, heart_bottom, heart_right, heart_left }: AxisEnds): Point | null {
  const dorsal = unit(heart_bottom, heart_top);
  const caudal = unit(heart_right, heart_left);
  return dorsal && caudal && unit({ x: 0, y: 0 }, { x: dorsal.x + caudal.x, y: dorsal.y + caudal.y });
}

function unit(from: Point, to: Point): Point | null {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length > 0 ? { x: (to.x - from.x) / length, y: (to.y - from.y) / length } : null;
}
