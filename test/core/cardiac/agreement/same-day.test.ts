import { expect, test } from "vitest";
import {
  practiceError,
  sameDayPairs,
  smallestChangeWithin,
  withinPairDeviation,
} from "../../../../core/cardiac/agreement/same-day.ts";

const hourMs = 3_600_000;
const film = (patientId: string, hours: number, value: number, sha256 = `${patientId} ${hours}`) => ({
  ...{ patientId, atMs: hours * hourMs, value, sha256 },
  ...{ packName: "landmarks", packVersion: "1" },
});

test("pairs films of one patient and pack within 24 hours, each once, without copies", () => {
  const films = [
    film("bella", 0, 10),
    film("bella", 1, 10.2),
    film("bella", 2, 10.4),
    film("bella", 25.9, 10.1),
    film("bella", 100, 10),
    film("rex", 101, 9),
    film("rex", 102, 9, "rex 101"),
    film("rex", 125, 9.5),
  ];
  expect(sameDayPairs(films).map((pair) => pair.map(({ atMs }) => atMs / hourMs))).toEqual([
    [0, 1],
    [2, 25.9],
  ]);
  expect(sameDayPairs([film("rex", 1, 9), film("rex", 2, 9, "rex 1"), film("rex", 3, 9.1)])).toHaveLength(1);
  expect(sameDayPairs([film("rex", 1, 9.0123456789), film("rex", 2, 9.0123456789)])).toEqual([]);
  const [first, later, last] = [film("rex", 1, 9), film("rex", 2, 9.1), film("rex", 3, 9.2)];
  const newer = { packVersion: "2" };
  expect(sameDayPairs([first, { ...later, ...newer }])).toEqual([]);
  expect(sameDayPairs([first, { ...later, ...newer }, { ...last, ...newer }])).toHaveLength(1);
});

test("computes the deviation within pairs as the root of half the mean square difference", () => {
  const pairs = sameDayPairs([film("a", 0, 10), film("a", 1, 10.3), film("b", 0, 9), film("b", 1, 8.6)]);
  expect(withinPairDeviation(pairs)).toBeCloseTo(Math.sqrt((0.09 + 0.16) / 4), 12);
  expect(withinPairDeviation([])).toBeNull();
  expect(smallestChangeWithin(0.2)).toBeCloseTo(0.5544, 4);
});

test("uses the deviation within pairs as the error of a film from 30 pairs on", () => {
  const pairsOf = (count: number) =>
    sameDayPairs(
      Array.from({ length: count }, (_, index) => [film(`${index}`, 0, 10), film(`${index}`, 1, 10.3)]).flat(),
    );
  expect(practiceError(pairsOf(29))).toBeNull();
  expect(practiceError(pairsOf(30))).toEqual({ deviation: expect.closeTo(0.3 / Math.SQRT2, 9) as number, pairs: 30 });
});
