import { expect, it } from "vitest";
import { judgedReading, verdictFacts } from "../../../../core/cardiac/verdict/verdict-facts.ts";

const heart = {
  heart_top: { x: 100, y: 100 },
  heart_bottom: { x: 100, y: 200 },
  heart_right: { x: 60, y: 150 },
  heart_left: { x: 140, y: 150 },
  VLAS: { x: 140, y: 120 },
};
const edgesOf = (step: number) => Array.from({ length: 8 }, (_, index) => ({ x: 20 + step * index, y: 20 }));
const reading = {
  source: "model",
  verdict: null,
  tier: "good",
  resultCode: 2,
  reviewReasons: [],
  frame: { widthPx: 300, heightPx: 300 },
  heart,
  ruler: { edges: edgesOf(20) },
  otherCount: { edges: edgesOf(25) },
  score: null,
  intervals: null,
  votes: [heart, { ...heart, heart_bottom: { x: 100, y: 230 }, VLAS: { x: 145, y: 120 } }],
} as const;

it("measures the VHS on the alternative ruler and finds the point with the largest scatter", () => {
  // Axes of 100 and 80 px on vertebrae of 25 px.
  expect(verdictFacts(reading)).toMatchObject({ otherVhs: 7.2, leastCertain: "heart_bottom", cutOff: null });
  expect(verdictFacts({ ...reading, otherCount: null, votes: [heart] })).toMatchObject({
    otherVhs: null,
    leastCertain: null,
  });
});

it("names the most uneven vertebra", () => {
  const at = { x: 0, y: 0 };
  const uneven = [0.85, 1.4, 0.8].map((share, index) => ({ index, share, from: at, to: at }));
  expect(verdictFacts({ ...reading, uneven }).uneven).toEqual({ index: 1, share: 1.4 });
  expect(verdictFacts(reading).uneven).toBeNull();
});

it("finds which part extends beyond the film", () => {
  expect(verdictFacts({ ...reading, frame: { widthPx: 150, heightPx: 300 } }).cutOff).toBe("column");
  expect(verdictFacts({ ...reading, frame: { widthPx: 300, heightPx: 180 } }).cutOff).toBe("heart");
});

it("has neither tier nor code for points that a user placed, and the proposal's tier after acceptance", () => {
  const accepted = { ...reading, source: "person", verdict: "accepted", tier: null } as const;
  expect(judgedReading(accepted, { tier: "good" })).toMatchObject({ tier: "good", resultCode: 2 });
  const corrected = { ...accepted, verdict: "corrected", resultCode: null } as const;
  expect(judgedReading(corrected, { tier: "good" })).toMatchObject({ tier: null, resultCode: null });
});
