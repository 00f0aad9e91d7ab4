import type { OtherCount } from "./vertebral-ruler.ts";

/**
 * Evidence for names shifted by one vertebra: mean log of the disc evidence against the name evidence; below 0 if the
 * present name is better.
 */
export type ShiftEvidence = Readonly<Record<OtherCount["direction"], number>>;

/** From so much on the chain's maps leave T4 in doubt. */
const chainDoubtsFrom = -1.25;

const directions = ["cranial", "caudal"] as const;

/**
 * Alternative direction of T4; null if its name is certain. The chain names T4; disagreement of the column network
 * makes it uncertain, too.
 *
 * @param column  null in packs without a column network
 */
export function doubtfulDirection(chain: ShiftEvidence, column: ShiftEvidence | null): OtherCount["direction"] | null {
  const isDoubtful = directions.some(
    (direction) => chain[direction] >= chainDoubtsFrom || (column !== null && column[direction] > 0),
  );
  if (!isDoubtful) return null;
  const sum = (direction: OtherCount["direction"]) => chain[direction] + (column?.[direction] ?? 0);
  return sum("cranial") >= sum("caudal") ? "cranial" : "caudal";
}
