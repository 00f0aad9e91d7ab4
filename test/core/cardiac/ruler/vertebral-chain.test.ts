import { describe, expect, it } from "vitest";
import type { Point } from "../../../../core/cardiac/points.ts";
import type { ColumnMaps } from "../../../../core/cardiac/ruler/disc-candidates.ts";
import { findVertebralChain } from "../../../../core/cardiac/ruler/vertebral-chain.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const cells = 112;
const vertebrae = 17;
const spacing = 6.2;

/** A slightly bent column: position of the cranial edge of vertebra `label`. */
const trueEdge = (label: number): Point => ({ x: 4 + label * spacing, y: 30 + 0.03 * (label - 8) ** 2 });
const labels = Array.from({ length: vertebrae }, (_, label) => label);

function addPeak(map: Float32Array, offset: number, at: Point, height: number): void {
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      const value = height * Math.exp(-0.5 * ((x - at.x) ** 2 + (y - at.y) ** 2));
      map[offset + y * cells + x] = Math.max(map[offset + y * cells + x]!, value);
    }
  }
}

/** Maps of a column: the `shown` discs, and identity maps with vertebra `label` at `believed(label)`. */
function columnMaps(
  shown: readonly number[],
  believed: (label: number) => number = (label) => label,
  probability = 0.8,
): ColumnMaps {
  const anyDisc = new Float32Array(cells * cells);
  const identity = new Float32Array(vertebrae * cells * cells);
  for (const label of shown) addPeak(anyDisc, 0, trueEdge(label), probability);
  for (const label of labels) {
    const start = label * cells * cells;
    addPeak(identity, start, trueEdge(believed(label)), 1);
    const map = identity.subarray(start, start + cells * cells);
    const mass = map.reduce((sum, value) => sum + value, 0);
    map.forEach((value, index) => (map[index] = value / mass));
  }
  return { cells, anyDisc, identity, expected: labels.map((label) => trueEdge(believed(label))) };
}

/** Largest distance of the found edges from the true ones [vertebrae]. */
function worstError(maps: ColumnMaps, wanted: readonly number[] = labels): number {
  const chain = findVertebralChain(maps);
  if (!chain) return Infinity;
  return Math.max(
    ...wanted.map((label) => {
      const found = chain.edges[label]!.place;
      return Math.hypot(found.x - trueEdge(label).x, found.y - trueEdge(label).y) / spacing;
    }),
  );
}

describe("findVertebralChain", () => {
  it("finds and names every disc of a clear column", () => {
    const chain = findVertebralChain(columnMaps(labels));
    expect(chain?.edges.map((edge) => edge.seen)).toEqual(labels.map(() => true));
    expect(worstError(columnMaps(labels))).toBeLessThan(0.05);
    // The map of a neighbour has only the floor of 0.02 there.
    const onlyFloor = expect.closeTo(Math.log(0.02), 1);
    expect(chain?.shiftEvidence).toEqual({ cranial: onlyFloor, caudal: onlyFloor });
  });

  it("finds a column of faint discs, one of which is hidden", () => {
    const shown = labels.filter((label) => label !== 7);
    const chain = findVertebralChain(columnMaps(shown, undefined, 0.1));
    expect(chain?.edges.filter((edge) => edge.seen)).toHaveLength(shown.length);
  });

  it("fills a hidden disc from its neighbours and marks it as not visible", () => {
    const maps = columnMaps(labels.filter((label) => label !== 7));
    expect(findVertebralChain(maps)?.edges.map((edge) => edge.seen)).toEqual(labels.map((label) => label !== 7));
    expect(worstError(maps)).toBeLessThan(0.1);
  });

  it("extrapolates along the same curve beyond the last visible disc", () => {
    const maps = columnMaps(labels.slice(3, 14));
    expect(worstError(maps, [2, 3, 8, 13, 14])).toBeLessThan(0.15);
  });

  it("corrects a few vertebrae with shifted names", () => {
    const misled = (label: number): number => (label >= 4 && label <= 8 ? label + 1 : label);
    expect(worstError(columnMaps(labels, misled))).toBeLessThan(0.05);
  });

  it("follows the majority if most names are shifted, with edges on the discs", () => {
    const misled = (label: number): number => Math.min(vertebrae - 1, label + 1);
    const chain = findVertebralChain(columnMaps(labels, misled));
    const at = chain!.edges[7]!.place;
    expect(Math.hypot(at.x - trueEdge(8).x, at.y - trueEdge(8).y) / spacing).toBeLessThan(0.1);
  });

  it.each([0.53, 1.7])("finds vertebrae of %f times the length expected from the identity maps", (factor) => {
    const maps = columnMaps(labels);
    const expected = maps.expected.map(({ x, y }) => ({ x: 56 + (x - 56) / factor, y: 30 + (y - 30) / factor }));
    expect(worstError({ ...maps, expected })).toBeLessThan(0.05);
  });

  it("ignores bright spots off the column", () => {
    const maps = columnMaps(labels);
    for (const spot of pointsAt([30, 70], [52, 26.5], [80, 90])) addPeak(maps.anyDisc, 0, spot, 0.9);
    expect(worstError(maps)).toBeLessThan(0.1);
  });

  it("returns null with too few visible discs", () => {
    expect(findVertebralChain(columnMaps([5, 6, 7]))).toBeNull();
  });
});
