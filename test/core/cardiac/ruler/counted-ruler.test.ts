import { describe, expect, it } from "vitest";
import { countAlong, nameEvidence, type ColumnSight } from "../../../../core/cardiac/ruler/counted-ruler.ts";

const sight = (lengthsPx: readonly number[], firstPx = 0): ColumnSight => ({
  firstPx,
  stepPx: 10,
  lengthsPx,
  nameShares: [],
});

describe("countAlong", () => {
  it("places vertebrae in both directions", () => {
    const places = countAlong(sight([30]), 200, 2, 3);
    expect(places).toEqual([140, 170, 200, 230, 260, 290].map((place) => expect.closeTo(place, 6) as number));
  });

  it("interpolates lengths within a vertebra", () => {
    // The length grows by 0.1 px per pixel from 30 px on, so that n vertebrae reach 300 (e^(n / 10) - 1) px.
    const growing = Array.from({ length: 200 }, (_, index) => 30 + index);
    const places = countAlong(sight(growing, 100), 100, 0, 4);
    places.forEach((place, n) => expect(place - 100).toBeCloseTo(300 * (Math.exp(n / 10) - 1), 1));
  });

  it("counts the same positions in both directions", () => {
    const uneven = sight(Array.from({ length: 60 }, (_, index) => 30 + 6 * Math.sin(index / 5)));
    const there = countAlong(uneven, 150, 0, 8);
    const back = countAlong(uneven, there.at(-1) as number, 8, 0);
    back.forEach((place, index) => expect(place).toBeCloseTo(there[index] as number, 1));
  });

  it("uses the last length beyond the output", () => {
    expect(countAlong(sight([25, 50], 700), 200, 0, 1)[1]).toBeCloseTo(225, 6);
    expect(countAlong(sight([25, 50], 100), 200, 0, 1)[1]).toBeCloseTo(250, 6);
  });

  it("recovers after a wrong length", () => {
    const wrong = Array.from({ length: 100 }, (_, index) => (index < 6 ? 60 : 30));
    const places = countAlong(sight(wrong), 0, 0, 6);
    for (let index = 4; index < places.length; index++)
      expect((places[index] as number) - (places[index - 1] as number)).toBeCloseTo(30, 6);
  });
});

describe("nameEvidence", () => {
  /** Three vertebrae with certain edges at 20, 50 and 80 px. */
  const rows = [2, 5, 8].map((at) => Array.from({ length: 10 }, (_, place) => (place === at ? 1 : 0)));
  const named: ColumnSight = { ...sight(Array<number>(10).fill(30)), nameShares: rows.flat() };

  it("is highest if every name fits", () => {
    const shifted = [0, 30, -30].map((by) => nameEvidence(named, [20 + by, 50 + by, 80 + by]));
    expect(shifted[0]).toBeCloseTo(0, 2);
    expect(shifted.slice(1).every((evidence) => evidence < -5)).toBe(true);
  });

  it("ignores positions outside the output, and is constant if all are outside", () => {
    expect(nameEvidence(named, [20, 50, 90])).toBeLessThan(-1);
    expect(nameEvidence(named, [20, 50, 90.1])).toBeCloseTo(0, 2);
    expect(nameEvidence(named, [20, 50, 500])).toBeCloseTo(0, 2);
    expect(nameEvidence(named, [-200, -170, -140])).toBe(nameEvidence(named, [-230, -200, -170]));
  });
});
