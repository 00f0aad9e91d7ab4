import fc from "fast-check";
import { expect, it } from "vitest";
import { chainRules } from "../../../../core/cardiac/ruler/chain-rules.ts";
import { candidatesAt, discPeaks } from "../../../../core/cardiac/ruler/disc-candidates.ts";
import { isPeak } from "../../../../core/cardiac/ruler/heat-map-peak.ts";

const side = 5;
const cellsOf = Array.from({ length: side * side }, (_, at) => ({ at, u: at % side, v: Math.floor(at / side) }));

it("finds cells that no neighbour exceeds, the first of equal ones", () => {
  const maps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: side * side, maxLength: side * side });
  fc.assert(
    fc.property(maps, (values) => {
      const map = Float32Array.from(values);
      for (const { at, u, v } of cellsOf) {
        const neighbours = cellsOf.filter(
          (cell) => cell.at !== at && Math.max(Math.abs(cell.u - u), Math.abs(cell.v - v)) < 2,
        );
        const value = map[at] ?? 0;
        const isHidden = neighbours.some((cell) => {
          const neighbour = map[cell.at] ?? 0;
          return neighbour > value || (neighbour === value && cell.at < at);
        });
        expect(isPeak(map, side, u, v)).toBe(!isHidden);
      }
    }),
  );
});

it("lists discs by probability, without the map's border and improbable ones", () => {
  const cells = 40;
  const map = new Float32Array(cells * cells);
  const put = (x: number, y: number, probability: number) => (map[y * cells + x] = probability);
  for (const at of [0, cells - 1]) {
    put(at, 10, 0.9);
    put(20, at, 0.9);
  }
  put(5, 5, 0.3);
  put(cells - 2, cells - 2, 0.5);
  put(1, 1, chainRules.leastDiscProbability / 2);
  put(20, 20, chainRules.leastDiscProbability * 1.01);
  expect(discPeaks(map, cells).map(({ x, y }) => [x, y])).toEqual([
    [cells - 2, cells - 2],
    [5, 5],
    [20, 20],
  ]);
});

it("limits the list to the most probable discs", () => {
  const cells = 40;
  const map = new Float32Array(cells * cells);
  for (let at = 0; at < 100; at += 1) map[(2 + 3 * Math.floor(at / 10)) * cells + 2 + 3 * (at % 10)] = 0.2 + at / 200;
  const peaks = discPeaks(map, cells);
  expect(peaks).toHaveLength(chainRules.mostCandidates);
  expect(peaks.at(-1)?.probability).toBeCloseTo(0.2 + (100 - chainRules.mostCandidates) / 200, 5);
});

it("refines each disc to its centre of mass, with evidence from probability and nearby identity mass", () => {
  const [cells, vertebrae] = [12, 3];
  const anyDisc = Float32Array.from({ length: cells * cells }, (_, at) => ((at * 37) % 101) / 101);
  const identity = Float32Array.from({ length: vertebrae * cells * cells }, (_, at) => ((at * 53) % 97) / 5000);
  const expected = Array.from({ length: vertebrae }, () => ({ x: 0, y: 0 }));
  const peaks = [
    { x: 1, y: 1, probability: 0.9 },
    { x: 6, y: 5, probability: 0.4 },
    { x: 10, y: 10, probability: 0.1 },
    { x: 9, y: 2, probability: 0.2 },
  ];
  const found = candidatesAt(peaks, { cells, anyDisc, identity, expected });
  const near = (map: Float32Array, { x, y }: { x: number; y: number }, reach: number) =>
    Array.from(map, (value, at) => ({ value, dx: (at % cells) - x, dy: Math.floor(at / cells) - y })).filter(
      ({ dx, dy }) => Math.abs(dx) <= reach && Math.abs(dy) <= reach,
    );
  for (const [index, peak] of peaks.entries()) {
    const around = near(anyDisc, peak, 1);
    const mass = around.reduce((sum, { value }) => sum + value, 0);
    const [x, y] = [
      around.reduce((sum, { value, dx }) => sum + (value * dx) / mass, peak.x),
      around.reduce((sum, { value, dy }) => sum + (value * dy) / mass, peak.y),
    ];
    expect(found.places[index]).toEqual({ x: expect.closeTo(x, 6), y: expect.closeTo(y, 6) });
    expect(found.asDisc[index]).toBeCloseTo(Math.log((peak.probability + 0.01) / 0.15), 9);
    for (let label = 0; label < vertebrae; label += 1) {
      const map = identity.subarray(label * cells * cells, (label + 1) * cells * cells);
      const massNear = near(map, peak, 2).reduce((sum, { value }) => sum + value, 0);
      const evidence = 0.6 * Math.log((massNear + 0.02) * vertebrae);
      expect(found.asVertebra[label * peaks.length + index]).toBeCloseTo(evidence, 6);
    }
  }
});
