import type { AxisEnds } from "../landmarks.ts";
import type { Point } from "../points.ts";
import type { ReferenceRange } from "../reference/reference-range.ts";
import type { VertebralRuler } from "../ruler/vertebral-ruler.ts";

/** Values outside are treated as failed measurements [v]. */
type ValidRange = { readonly least: number; readonly most: number };

type MeasureLine = {
  readonly point: string;
  readonly pointMeaning: string;
  /** Start of the line; null if it cannot be derived from the axes. */
  readonly from: (axes: AxisEnds) => Point | null;
  /** Unit vector to which the line is constrained; null for a free landmark. */
  readonly direction: ((axes: AxisEnds) => Point | null) | null;
  /** Colour on the film, `#rrggbb`. */
  readonly colour: string;
  /** Lengths of dashes and gaps, in line widths. */
  readonly dash: readonly [number, number];
};

/**
 * Descriptor of one measure of the heart. Code that shows, stores or sends measures iterates over these descriptors.
 */
export type Measure = {
  /** Field name in readings and the API, column name in tables, private code in the structured report. */
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  /**
   * `networks`: in every reading, null if it could not be measured. `person`: only in readings in which a user placed
   * it, or for which the pack proposes it with an interval.
   */
  readonly placedBy: "networks" | "person";
  readonly unit: "v";
  readonly valid: ValidRange;
  /** Range of the displayed scale [v]. */
  readonly scale: { readonly from: number; readonly to: number };
  /** Reference ranges of healthy animals, in general and by breed; empty if none are published. */
  readonly references: readonly ReferenceRange[];
  /** Colour of its trend on white paper, `#rrggbb`. */
  readonly paperColour: string;
  /** null for a measure of the axes alone. */
  readonly line: MeasureLine | null;
  /**
   * Computes the value [v], unrounded.
   *
   * @param linePx  length of the line [px]; 0 without one
   * @throws AppError AXIS_DEGENERATE, EDGES_COINCIDE
   */
  readonly read: (axes: AxisEnds, ruler: VertebralRuler, linePx: number) => number;
};
