import { distancePx, type Point } from "../points.ts";
import { median, type OtherCount } from "./vertebral-ruler.ts";

/**
 * The ruler on which an ensemble agrees: where the edges of its common chain lie, but every vertebra as long as the
 * median of the common chain's and each member's. One chain leaps as a whole where a disc is hard to see; lengths that
 * are counted from each one's own T4 do not leap together.
 *
 * @param together  edges from T4 found in all maps together [px], n >= 1; the first stays where it is
 * @param members   each member's own edges from T4 [px]; fewer than `together` have no say in the rest
 * @returns         as many edges as `together` has
 */
export function agreedRuler(together: readonly Point[], members: readonly (readonly Point[])[]): readonly Point[] {
  const agreed = together.slice(0, 1);
  for (let index = 1; index < together.length; index++) {
    const [from, to] = [together[index - 1] as Point, together[index] as Point];
    const last = agreed.at(-1) as Point;
    const share = agreedLengthPx(index, [together, ...members]) / distancePx(from, to);
    // Edges that coincide have no direction to stretch along; whoever measures with them finds out.
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

/**
 * A ruler counted from one vertebra further cranially or caudally, as it is beside the agreed one.
 *
 * @param agreed   edges from T4 [px], n >= 2
 * @param counted  the common chain's edges, from the other T4 [px], n >= 2
 */
export function recountedRuler(agreed: readonly Point[], counted: OtherCount): readonly Point[] {
  if (counted.direction === "caudal") return agreed.slice(1);
  const [first, second] = counted.edges;
  const [t4] = agreed;
  if (!first || !second || !t4) return counted.edges;
  return [{ x: t4.x + first.x - second.x, y: t4.y + first.y - second.y }, ...agreed].slice(0, counted.edges.length);
}
