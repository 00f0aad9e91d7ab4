import { distancePx, type Point } from "../points.ts";
import { median } from "../../median.ts";
import { type OtherCount } from "./vertebral-ruler.ts";

/**
 * Combines the rulers of an ensemble: the edges of the common chain, with the length of each vertebra replaced by the
 * median over the common chain and the members. A single chain shifts as a whole at a hidden disc; lengths counted from
 * each member's T4 do not shift together. A shorter chain contributes only the vertebrae that it has.
 */
export function agreedRuler(together: readonly Point[], members: readonly (readonly Point[])[]): readonly Point[] {
  const agreed = together.slice(0, 1);
  for (let index = 1; index < together.length; index++) {
    const [from, to] = [together[index - 1] as Point, together[index] as Point];
    const last = agreed.at(-1) as Point;
    const share = agreedLengthPx(index, [together, ...members]) / distancePx(from, to);
    // Coinciding edges have no direction; the caller reports them when it builds the ruler.
    const stretch = Number.isFinite(share) ? share : 1;
    agreed.push({ x: last.x + stretch * (to.x - from.x), y: last.y + stretch * (to.y - from.y) });
  }
  return agreed;
}

function agreedLengthPx(index: number, rulers: readonly (readonly Point[])[]): number {
  return median(
    rulers.flatMap((edges) => {
      const [from, to] = [edges[index - 1], edges[index]];
      return from && to ? [distancePx(from, to)] : [];
    }),
  );
}

/** Ruler for a T4 one vertebra farther cranially or caudally, parallel to the agreed ruler [px]. */
export function recountedRuler(agreed: readonly Point[], counted: OtherCount): readonly Point[] {
  if (counted.direction === "caudal") return agreed.slice(1);
  const [first, second] = counted.edges;
  const [t4] = agreed;
  if (!first || !second || !t4) return counted.edges;
  return [{ x: t4.x + first.x - second.x, y: t4.y + first.y - second.y }, ...agreed].slice(0, counted.edges.length);
}
