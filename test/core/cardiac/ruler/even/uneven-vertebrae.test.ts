import { describe, expect, it } from "vitest";
import { unevenVertebrae } from "../../../../../core/cardiac/ruler/even/uneven-vertebrae.ts";

/** Edges of a straight column of vertebrae with these lengths [px]. */
function columnOf(lengths: readonly number[], unseen: readonly number[] = []) {
  let x = 0;
  const places = [0, ...lengths.map((length) => (x += length))];
  return places.map((place, index) => ({ place: { x: place, y: 0 }, seen: !unseen.includes(index) }));
}
const found = (lengths: readonly number[], unseen?: readonly number[]) =>
  unevenVertebrae(columnOf(lengths, unseen)).map(({ index, share }) => [index, share]);

describe("uneven vertebrae", () => {
  it("are absent in a column that grows by 2 % per vertebra", () => {
    expect(found(Array.from({ length: 9 }, (_, index) => 30 * 1.02 ** index))).toEqual([]);
  });

  it("are found without their neighbours, even at the cranial end", () => {
    expect(found([30, 30, 21, 30, 30, 30])).toEqual([[2, 0.7]]);
    expect(found([36, 30, 30, 30])).toEqual([[0, 1.2]]);
  });

  it("include lengths just outside 0.87 to 1.15, not those just inside", () => {
    expect(found([100, 100, 86.9, 100, 100]).map(([index]) => index)).toEqual([2]);
    expect(found([100, 100, 87.1, 100, 100, 114.9, 100, 100])).toEqual([]);
    expect(found([100, 100, 115.1, 100, 100]).map(([index]) => index)).toEqual([2]);
  });

  it("require visible discs at both ends and three such neighbours", () => {
    expect(found([30, 30, 60, 30, 30], [3])).toEqual([]);
    expect(found([30, 30, 21])).toEqual([]);
  });

  it("include both ends", () => {
    expect(unevenVertebrae(columnOf([30, 30, 21, 30, 30]))[0]).toMatchObject({ from: { x: 60 }, to: { x: 81 } });
  });
});
