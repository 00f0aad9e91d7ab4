import type { OtherCount } from "./vertebral-ruler.ts";

/**
 * How much speaks for names that lie one vertebra further cranially or caudally: mean log of the evidence for a disc
 * against that for its name; below 0 while its name is the better one.
 */
export type ShiftEvidence = Readonly<Record<OtherCount["direction"], number>>;

/** From so much on the chain's maps leave T4 in doubt. */
const chainDoubtsFrom = -1.25;

const directions = ["cranial", "caudal"] as const;

/**
 * Where T4 may lie instead; null where its name is certain. The chain names it; where a pack's network for the
 * straightened column would rather name another vertebra so, that is a doubt too.
 *
 * @param column  null in packs without such a network
 */
export function doubtfulDirection(chain: ShiftEvidence, column: ShiftEvidence | null): OtherCount["direction"] | null {
  const isDoubtful = directions.some(
    (direction) => chain[direction] >= chainDoubtsFrom || (column !== null && column[direction] > 0),
  );
  if (!isDoubtful) return null;
  const sum = (direction: OtherCount["direction"]) => chain[direction] + (column?.[direction] ?? 0);
  return sum("cranial") >= sum("caudal") ? "cranial" : "caudal";
}
