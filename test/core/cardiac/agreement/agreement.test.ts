import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agreementFrom,
  agreementOf,
  groupByIndependence,
  meanDifference,
  recentBias,
  watchedPairs,
  type ValuePair,
} from "../../../../core/cardiac/agreement/agreement.ts";

/** Peak expiratory flow [l/min] by a Wright and a mini meter: Bland & Altman 1986, Lancet i:307–310, table 1. */
const wright = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427];
const mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451];

const score = fc.double({ min: 5, max: 15, noNaN: true });
const pairs = fc.array(fc.record({ network: score, person: score }), { minLength: 2, maxLength: 60 });
const known = (list: readonly ValuePair[]) => {
  const found = agreementOf(list);
  if (!found) throw new Error("no agreement");
  return found;
};

describe("agreement", () => {
  it("reproduces bias and deviation of the peak flow meters of Bland and Altman 1986", () => {
    const found = known(wright.map((network, index) => ({ network, person: mini[index] as number })));
    expect(found.count).toBe(17);
    expect(found.bias.value).toBeCloseTo(-2.1, 1);
    expect(found.standardDeviation).toBeCloseTo(38.8, 1);
    expect(found.bias.low).toBeCloseTo(-22.0, 0);
    expect(found.bias.high).toBeCloseTo(17.8, 0);
  });

  it("reproduces the limits of agreement and intervals of Bland and Altman 1999", () => {
    // 85 subjects, observer minus machine [mmHg]: mean -16.29, SD 19.61; limits -54.7 and 22.1, standard error 3.64.
    const found = agreementFrom({ count: 85, mean: -16.29, standardDeviation: 19.61 });
    const printed = [found.bias, found.lower, found.upper].map(({ value, low, high }) =>
      [value, low, high].map((figure) => Math.round(figure * 10) / 10),
    );
    expect(printed).toEqual([
      [-16.3, -20.5, -12.1],
      [-54.7, -62, -47.5],
      [22.1, 14.9, 29.4],
    ]);
  });

  it("separates independent, anchored and accepted readings", () => {
    const decisions = ["accepted", "independent", "corrected", "by_hand", "independent"] as const;
    const groups = groupByIndependence(
      decisions.map((decision, index) => ({ decision, network: 10 + index, person: 10 })),
    );
    const counts = Object.entries(groups).map(([name, of]) => [name, of.length]);
    expect(Object.fromEntries(counts)).toEqual({ independent: 2, anchored: 2, accepted: 1 });
    expect(meanDifference(groups.anchored)).toBe(2.5);
    expect(meanDifference([])).toBeNull();
  });

  it("negates the bias when the methods are swapped and shifts it by a constant", () => {
    fc.assert(
      fc.property(pairs, fc.double({ min: -3, max: 3, noNaN: true }), (list, shift) => {
        const found = known(list);
        const turned = known(list.map(({ network, person }) => ({ network: person, person: network })));
        const moved = known(list.map(({ network, person }) => ({ network: network + shift, person })));
        expect(turned.bias.value).toBeCloseTo(-found.bias.value, 9);
        expect(turned.upper.value).toBeCloseTo(-found.lower.value, 9);
        expect(moved.bias.value).toBeCloseTo(found.bias.value + shift, 9);
        expect(moved.standardDeviation).toBeCloseTo(found.standardDeviation, 9);
      }),
    );
  });

  it("does not depend on the order, and keeps every value within its interval", () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const found = known(list);
        expect(known([...list].reverse()).upper.value).toBeCloseTo(found.upper.value, 9);
        for (const { value, low, high } of [found.bias, found.lower, found.upper]) {
          expect(low).toBeLessThanOrEqual(value);
          expect(value).toBeLessThanOrEqual(high);
        }
        expect(found.lower.value).toBeLessThanOrEqual(found.upper.value);
      }),
    );
  });

  it("returns null for fewer than two pairs", () => {
    expect([agreementOf([]), agreementOf([{ network: 10, person: 10 }])]).toEqual([null, null]);
  });

  it("reports a bias from the newest pairs only, once there are enough", () => {
    const off = (bias: number, count: number) =>
      Array.from({ length: count }, () => ({ network: 10 + bias, person: 10 }));
    expect(recentBias(off(1, watchedPairs - 1), "vhs")).toBeNull();
    expect(recentBias([...off(3, 50), ...off(0, watchedPairs)], "vhs")).toMatchObject({ bias: 0, isOutside: false });
    expect(recentBias([...off(0, 50), ...off(-0.3, watchedPairs)], "vhs")?.isOutside).toBe(true);
    expect(recentBias(off(0.19, watchedPairs), "vlas")?.isOutside).toBe(false);
    expect(recentBias(off(1, watchedPairs), "rlad")).toBeNull();
  });
});
