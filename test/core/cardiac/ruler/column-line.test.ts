import { expect, it } from "vitest";
import { nearestAlongPx, columnLine, placeAlong } from "../../../../core/cardiac/ruler/column-line.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const bent = {
  places: pointsAt([0, 0], [10, 0], [10, 20]),
  alongPx: [0, 10, 30],
};

it("finds points by their distance along a bent line, limited to its ends", () => {
  expect([-1, 0, 4, 10, 15, 30, 31].map((along) => placeAlong(bent, along))).toEqual(
    pointsAt([0, 0], [0, 0], [4, 0], [10, 0], [10, 5], [10, 20], [10, 20]),
  );
});

it("finds the distance along a line of the point nearest to a given one", () => {
  const points = pointsAt([-3, 1], [4, 2], [12, 15], [11, 40]);
  expect(points.map((point) => nearestAlongPx(bent, point))).toEqual([0, 4, 25, 30]);
});

it("has eight points per vertebra and extends ten vertebrae straight beyond both ends", () => {
  const seen = [0, 1, 2, 3, 4].map((label) => ({ label, place: { x: 10 * label, y: 5 } }));
  const { places, alongPx } = columnLine(seen, 5);
  expect(places).toHaveLength(4 * 8 + 1 + 2);
  for (const [index, x] of [-100, 0, 1.25].entries()) expect(places[index]?.x).toBeCloseTo(x, 6);
  expect(places.at(-1)?.x).toBeCloseTo(150, 6);
  expect(alongPx.slice(0, 3)).toEqual([0, 100, 101.25].map((px) => expect.closeTo(px, 6)));
  expect(alongPx.at(-1)).toBeCloseTo(250, 6);
});

it("passes through the discs of a column, interpolating a missing one", () => {
  const seen = [0, 1, 2, 4, 5, 6, 7].map((label) => ({ label, place: { x: 100 + 40 * label, y: 60 } }));
  const line = columnLine(seen, 8);
  const start = nearestAlongPx(line, { x: 100, y: 75 });
  const places = [-130, 0, 145, 400].map((px) => placeAlong(line, start + px));
  expect(places).toEqual([-30, 100, 245, 500].map((x) => ({ x: expect.closeTo(x, 6), y: expect.closeTo(60, 6) })));
  expect(nearestAlongPx(line, { x: 141.3, y: 40 }) - start).toBeCloseTo(41.3, 6);
});

it("measures along a bent column, not the chord", () => {
  const arch = columnLine(
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((label) => ({ label, place: { x: 40 * label, y: 8 * (label - 4) ** 2 } })),
    9,
  );
  const between = nearestAlongPx(arch, { x: 320, y: 128 }) - nearestAlongPx(arch, { x: 0, y: 128 });
  expect(between).toBeGreaterThan(390);
  expect(between).toBeLessThan(440);
});
