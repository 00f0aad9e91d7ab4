import { expect, it } from "vitest";
import { reason } from "../../../../core/cardiac/confidence.ts";
import { verdictFacts } from "../../../../core/cardiac/verdict/verdict-facts.ts";
import { heartAt } from "../../../fixtures/heart-at.ts";

const heart = heartAt([100, 100], [100, 200], [60, 150], [140, 150], [140, 120]);
const edgesOf = (step: number) => Array.from({ length: 8 }, (_, index) => ({ x: 20 + step * index, y: 20 }));
const reading = {
  source: "model",
  verdict: null,
  tier: "good",
  resultCode: 2,
  who: null,
  reviewReasons: [],
  frame: { widthPx: 300, heightPx: 300 },
  heart,
  ruler: { edges: edgesOf(20) },
  otherCount: { edges: edgesOf(25) },
  score: null,
  intervals: null,
  votes: [heart, { ...heart, heart_bottom: { x: 100, y: 230 }, VLAS: { x: 145, y: 120 } }],
} as const;

const factsOf = (change: Partial<Parameters<typeof verdictFacts>[0]>) => verdictFacts({ ...reading, ...change }, []);

it("measures the VHS on the alternative ruler and finds the point with the largest scatter", () => {
  // Axes of 100 and 80 px on vertebrae of 25 px.
  expect(factsOf({})).toMatchObject({ otherVhs: 7.2, leastCertain: "heart_bottom", cutOff: null });
  expect(factsOf({ otherCount: null, votes: [heart] })).toMatchObject({
    otherVhs: null,
    leastCertain: null,
  });
});

it("contains the most uneven vertebra", () => {
  const at = { x: 0, y: 0 };
  const uneven = [0.85, 1.4, 0.8].map((share, index) => ({ index, share, from: at, to: at }));
  expect(factsOf({ uneven }).uneven).toEqual({ index: 1, share: 1.4 });
  expect(factsOf({}).uneven).toBeNull();
});

it("detects which part extends beyond the film", () => {
  expect(factsOf({ frame: { widthPx: 150, heightPx: 300 } }).cutOff).toBe("column");
  expect(factsOf({ frame: { widthPx: 300, heightPx: 180 } }).cutOff).toBe("heart");
});

const accepted = { ...reading, source: "person", verdict: "accepted", who: "Dr. Roth", tier: null } as const;
const corrected = { ...accepted, verdict: "corrected", who: "Dr. Weber", resultCode: null } as const;

it("has no tier and code for points of a user, and the proposal's tier after acceptance", () => {
  expect(verdictFacts(accepted, [reading, accepted])).toMatchObject({ tier: "good", resultCode: 2, placement: null });
  expect(verdictFacts(corrected, [reading, corrected])).toMatchObject({
    tier: null,
    resultCode: null,
    placement: { how: "corrected", who: "Dr. Weber" },
  });
});

it("contains the user who placed the points, not the one who accepted them", () => {
  const later = { ...accepted, resultCode: null };
  const placementIn = (...versions: Parameters<typeof verdictFacts>[1]) => verdictFacts(later, versions).placement;
  expect(placementIn(reading, corrected, later)).toEqual({ how: "corrected", who: "Dr. Weber" });
  expect(placementIn({ ...corrected, verdict: "by_hand" }, later)).toEqual({ how: "by_hand", who: "Dr. Weber" });
  // An imported result may lack the version in which the points were placed.
  expect([placementIn(reading, later), placementIn(later)]).toEqual([
    { how: "corrected", who: null },
    { how: "by_hand", who: null },
  ]);
});

it("uses the interval of human readers for points of a user, and only oblique axes as a reason", () => {
  const score = { vhs: 10, vlas: 2, longAxisVertebrae: 6, shortAxisVertebrae: 4, axesAngleDeg: 90 };
  const of = (areAxesPerpendicular: boolean) => {
    const placed = { ...corrected, score: { ...score, areAxesPerpendicular, isGeometryValid: true } };
    return verdictFacts({ ...placed, reviewReasons: [reason("spread")] }, [reading, placed]);
  };
  expect(of(true).reasons).toEqual([]);
  expect(of(false).reasons).toEqual(["axes_angle"]);
  // 1.05 v / 3.53 of Hansson et al. 2005, times 1.2816 for 80 %.
  expect(of(true).vhsInterval?.low).toBeCloseTo(10 - 0.381, 3);
  expect(of(true).vhsInterval?.high).toBeCloseTo(10 + 0.381, 3);
});

it("contains who rejected a reading, and why", () => {
  const rejected = { ...accepted, verdict: "rejected" } as const;
  expect(verdictFacts({ ...rejected, rejectionReason: "view" }, [reading, rejected]).rejection).toEqual({
    who: "Dr. Roth",
    reason: "view",
  });
  expect(verdictFacts(accepted, [reading, accepted]).rejection).toBeNull();
});
