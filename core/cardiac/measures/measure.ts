import type { AxisEnds } from "../landmarks.ts";
import type { Point } from "../points.ts";
import type { ReferenceRange } from "../reference/reference-range.ts";
import type { VertebralRuler } from "../ruler/vertebral-ruler.ts";

/** Least and greatest value that counts as a measurement, not a failure [v]. */
type ValidRange = { readonly least: number; readonly most: number };

type MeasureLine = {
  /** Landmark at its end, which this measure alone needs. */
  readonly point: string;
  /** Meaning of the landmark in the structured report. */
  readonly pointMeaning: string;
  /** Where the line starts; null where the axes give no such place. */
  readonly from: (axes: AxisEnds) => Point | null;
  /** Direction that the line is bound to, of length 1; null for a free landmark. */
  readonly direction: ((axes: AxisEnds) => Point | null) | null;
  /** Colour on the film, `#rrggbb`. */
  readonly colour: string;
  /** Dashes and gaps, in widths of the line. */
  readonly dash: readonly [number, number];
};

/** Everything particular to one measure of the heart; code that shows, keeps or sends measures loops over these. */
export type Measure = {
  /** Field of readings and of the programming interface, column of tables, private code of the structured report. */
  readonly name: string;
  /** Label next to a value, the same in every language. */
  readonly label: string;
  readonly meaning: string;
  /**
   * `networks`: every reading has it, null if it could not be measured. `person`: only readings in which a user placed
   * it, or for which a pack states the interval of a proposal.
   */
  readonly placedBy: "networks" | "person";
  readonly unit: "v";
  readonly valid: ValidRange;
  /** Range of the scale around the reference range [v]. */
  readonly scale: { readonly from: number; readonly to: number };
  /** Values of healthy dogs, in general and by breed; empty where nothing is published. */
  readonly references: readonly ReferenceRange[];
  /** Colour of its course on white paper, `#rrggbb`. */
  readonly paperColour: string;
  /** null for a measure read only on the axes. */
  readonly line: MeasureLine | null;
  /**
   * The value [v], unrounded.
   *
   * @param linePx  length of the line [px]; 0 without one
   * @throws AppError AXIS_DEGENERATE, EDGES_COINCIDE
   */
  readonly read: (axes: AxisEnds, ruler: VertebralRuler, linePx: number) => number;
};
