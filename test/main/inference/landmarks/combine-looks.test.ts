import { expect, it } from "vitest";
import type { HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import { distancePx, type Point } from "../../../../core/cardiac/points.ts";
import { combineLooks } from "../../../../main/inference/landmarks/combine-looks.ts";
import type { HeartVote } from "../../../../main/inference/landmarks/landmark-decoding.ts";

const heart = (apexY: number): HeartLandmarks => ({
  heart_top: { x: 100, y: 50 },
  heart_bottom: { x: 100, y: apexY },
  heart_right: { x: 60, y: 100 },
  heart_left: { x: 140, y: 100 },
  VLAS: { x: 130, y: apexY },
});
const middle = { x: 100, y: 100 };
const round = (radius: number): Point[] =>
  Array.from({ length: 120 }, (_, index) => ({
    x: middle.x + radius * Math.cos((2 * Math.PI * index) / 120),
    y: middle.y + radius * Math.sin((2 * Math.PI * index) / 120),
  }));
const vote = (apexY: number, radius: number | null): HeartVote => ({
  heart: heart(apexY),
  outline: radius === null ? null : round(radius),
});
const radiusOf = (outline: readonly Point[] | null) => outline && distancePx(outline[7] as Point, middle);

it("weights the axes of thorax and close-up in every vote, and takes VLAS from the close-up", () => {
  const close = { votes: [vote(150, 50), vote(160, 60), vote(154, null)], outline: round(54) };
  const { votes, outline } = combineLooks([vote(150, 50), vote(140, 40)], round(46), close, 0.5);
  expect(votes.map(({ heart }) => heart.heart_bottom.y)).toEqual([150, 150, 152]);
  expect(votes.map(({ heart }) => heart.VLAS.y)).toEqual([150, 160, 154]);
  expect(radiusOf(votes[0]!.outline)).toBeCloseTo(50, 1);
  expect(radiusOf(votes[1]!.outline)).toBeCloseTo(50, 1);
  expect(radiusOf(votes[2]!.outline)).toBeCloseTo(50, 1);
  expect(radiusOf(outline)).toBeCloseTo(50, 1);
  const closer = combineLooks([vote(150, 50), vote(140, 40)], round(46), close, 0.75);
  expect(closer.votes.map(({ heart }) => heart.heart_bottom.y)).toEqual([150, 155, 153]);
  expect([radiusOf(closer.votes[1]!.outline), radiusOf(closer.outline)]).toEqual([
    expect.closeTo(55, 1),
    expect.closeTo(52, 1),
  ]);
});
