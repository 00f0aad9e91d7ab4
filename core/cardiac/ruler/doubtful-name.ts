import type { OtherCount } from "./vertebral-ruler.ts";

/**
 * Evidence for names shifted by one vertebra, as mean log ratio to the current names; negative if the current names are
 * better.
 */
export type ShiftEvidence = Readonly<Record<OtherCount["direction"], number>>;

/** Evidence of the chain's maps from which T4 is uncertain. */
const chainDoubtsFrom = -1.25;

const directions = ["cranial", "caudal"] as const;

/**
 * More likely direction of an alternative T4; null if T4 is certain: the chain's maps leave no doubt, and the column
 * network, if there is one, does not contradict them.
 */
export function doubtfulDirection(chain: ShiftEvidence, column: ShiftEvidence | null): OtherCount["direction"] | null {
  const isDoubtful = directions.some(
    (direction) => chain[direction] >= chainDoubtsFrom || (column !== null && column[direction] > 0),
  );
  if (!isDoubtful) return null;
  const sum = (direction: OtherCount["direction"]) => chain[direction] + (column?.[direction] ?? 0);
  return sum("cranial") >= sum("caudal") ? "cranial" : "caudal";
}
