import { distancePx, type Point } from "../../points.ts";
import { usualShare } from "./even-chain.ts";
import type { ChainEdge } from "../vertebral-chain.ts";
import { median } from "../../../median.ts";

/** A vertebra whose length differs from that of its neighbours: a block, wedge or hemivertebra, or a missed disc. */
export type UnevenVertebra = {
  /** 0 for T4, counted caudally. */
  readonly index: number;
  readonly from: Point;
  readonly to: Point;
  /** Length relative to that of its neighbours. */
  readonly share: number;
};

/**
 * Number of nearest vertebrae to compare with. Three are needed so that one uneven vertebra among them does not change
 * the median.
 */
const neighbours = { most: 4, fewest: 3 } as const;

/**
 * Finds uneven vertebrae in a chain whose lengths were not evened yet. Only vertebrae between visible discs are checked
 * and compared with. Of 66 real films of normal animals 8 have one between T4 and T9.
 */
export function unevenVertebrae(edges: readonly ChainEdge[]): readonly UnevenVertebra[] {
  const vertebrae = edges.slice(1).map((edge, index) => {
    const before = edges[index] as ChainEdge;
    const isSeen = before.seen && edge.seen;
    return { index, from: before.place, to: edge.place, lengthPx: isSeen ? distancePx(before.place, edge.place) : 0 };
  });
  return vertebrae.flatMap(({ lengthPx, ...vertebra }) => {
    const distance = (other: { readonly index: number }) => Math.abs(other.index - vertebra.index);
    const near = vertebrae
      .filter((other) => other.index !== vertebra.index && other.lengthPx > 0)
      .toSorted((a, b) => distance(a) - distance(b))
      .slice(0, neighbours.most);
    if (lengthPx === 0 || near.length < neighbours.fewest) return [];
    const share = lengthPx / median(near.map((other) => other.lengthPx));
    return share < usualShare.shortest || share > usualShare.longest ? [{ ...vertebra, share }] : [];
  });
}
