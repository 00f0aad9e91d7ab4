import type { AxisEnds } from "../landmarks.ts";
import { rlad } from "../measures/rlad.ts";
import type { Point } from "../points.ts";
import { chordThrough } from "./axes-of-outline.ts";

/** End of the RLAD line where it leaves the heart's outline; null if the axes do not cross inside it. */
export function rladOfOutline(axes: AxisEnds, outline: readonly Point[]): Point | null {
  const from = rlad.line.from(axes);
  const along = rlad.line.direction(axes);
  const chord = from && along && chordThrough(outline, from, along);
  return chord && { x: from.x + chord.most * along.x, y: from.y + chord.most * along.y };
}
