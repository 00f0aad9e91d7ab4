import { describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { roundScore, scoreHeart, withVertebrae } from "../../../core/cardiac/heart-score.ts";
import type { HeartLandmarks } from "../../../core/cardiac/landmarks.ts";
import { vertebralHeartScore } from "../../../core/cardiac/measures/vhs.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import type { VertebralRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import { heartAt, movedHeart } from "../../fixtures/heart-at.ts";

const ruler: VertebralRuler = {
  kind: "detected",
  edges: [0, 1, 2, 3, 4, 5, 6].map((vertebra) => ({ x: 100 + vertebra * 20, y: 50 })),
};
const heart = heartAt([150, 80], [150, 190], [105, 135], [195, 135], [182, 104]);

describe("scoreHeart", () => {
  const score = scoreHeart(heart, ruler);

  it("adds the axes in vertebrae", () => {
    expect(score).toEqual({
      vhs: 10,
      vlas: 2,
      longAxisVertebrae: 5.5,
      shortAxisVertebrae: 4.5,
      axesAngleDeg: 90,
      areAxesPerpendicular: true,
      isGeometryValid: true,
    });
  });

  it("is the same for a mirrored film", () => {
    const mirror = (point: Point): Point => ({ x: 500 - point.x, y: point.y });
    expect(scoreHeart(movedHeart(heart, mirror), { ...ruler, edges: ruler.edges.map(mirror) })).toEqual(score);
  });

  it.each([30, 90, 120, 150, 210, 240, 300, 330])("is the same for a film rotated by %d degrees", (degrees) => {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const turn = ({ x, y }: Point): Point => ({ x: cos * x - sin * y, y: sin * x + cos * y });
    const oblique = { ...ruler, edges: ruler.edges.map(turn) };
    expect(scoreHeart(movedHeart(heart, turn), oblique)).toMatchObject({
      vhs: expect.closeTo(10, 9),
      isGeometryValid: true,
    });
  });

  it("does not depend on the pixel size", () => {
    const smaller = ({ x, y }: Point): Point => ({ x: x / 1000, y: y / 1000 });
    const small = scoreHeart(movedHeart(heart, smaller), { ...ruler, edges: ruler.edges.map(smaller) });
    expect(small).toMatchObject({
      longAxisVertebrae: expect.closeTo(5.5, 9),
      shortAxisVertebrae: expect.closeTo(4.5, 9),
    });
  });

  it("accepts a short axis that is slightly shorter than A–B", () => {
    const wide = { ...heart, heart_right: { x: 95, y: 135 }, heart_left: { x: 205, y: 135 } };
    expect(scoreHeart(wide, ruler).isGeometryValid).toBe(true);
  });

  it.each<[string, Partial<HeartLandmarks>]>([
    [
      "the heart is upside down",
      { heart_top: heart.heart_bottom, heart_bottom: heart.heart_top, VLAS: { x: 182, y: 166 } },
    ],
    ["part of the heart is above the column", { heart_right: { x: 105, y: 20 } }],
    ["the axes are 20 degrees from perpendicular", { heart_left: { x: 195, y: 168 } }],
    ["the short axis is longer than A–B", { heart_right: { x: 50, y: 135 }, heart_left: { x: 180, y: 135 } }],
    ["VLAS is out of range", { VLAS: { x: 151, y: 81 } }],
  ])("marks the geometry as invalid if %s", (_fault, change) => {
    expect(scoreHeart({ ...heart, ...change }, ruler).isGeometryValid).toBe(false);
  });

  it("returns null for a VHS without a short axis and a VLAS out of range, without throwing", () => {
    expect(scoreHeart({ ...heart, heart_left: heart.heart_right }, ruler)).toMatchObject({
      vhs: null,
      shortAxisVertebrae: null,
    });
    expect(scoreHeart({ ...heart, VLAS: heart.heart_top }, ruler)).toMatchObject({ vhs: 10, vlas: null });
    const broken: VertebralRuler = { ...ruler, edges: [ruler.edges[0] as Point, ruler.edges[0] as Point] };
    expect(scoreHeart(heart, broken)).toMatchObject({ vhs: null, vlas: null, isGeometryValid: false });
  });

  it.each([
    [3.98, null],
    [4, 4],
    [20, 20],
    [20.02, null],
  ])("maps a VHS of %d to %s", (vertebrae, vhs) => {
    const half = (vertebrae / 2) * 20;
    const sized = {
      ...heart,
      heart_bottom: { x: 150, y: 80 + half },
      heart_right: { x: 150 - half / 2, y: 100 },
      heart_left: { x: 150 + half / 2, y: 100 },
    };
    expect(roundScore(scoreHeart(sized, ruler).vhs)).toBe(vhs);
  });
});

describe("vertebralHeartScore", () => {
  it("throws for an axis without length", () => {
    expect(() => vertebralHeartScore(0, 10, ruler.edges)).toThrow(new AppError("AXIS_DEGENERATE"));
    expect(() => vertebralHeartScore(10, Number.NaN, ruler.edges)).toThrow(new AppError("AXIS_DEGENERATE"));
  });
});

it("rounds scores to two decimals, half up", () => {
  expect([10.124, 10.125, 10.126, null].map((value) => roundScore(value))).toEqual([10.12, 10.13, 10.13, null]);
});

it("derives Vertebra A and B from the ends of the ruler", () => {
  expect(withVertebrae(heart, ruler)).toEqual({
    ...heart,
    "Vertebra A": { x: 100, y: 50 },
    "Vertebra B": { x: 220, y: 50 },
  });
});
