import { describe, expect, it } from "vitest";
import { scoreHeart } from "../../../../core/cardiac/heart-score.ts";
import type { PlacedHeart } from "../../../../core/cardiac/measures/placed-heart.ts";
import { boundToLines } from "../../../../core/cardiac/measures/read-measures.ts";
import type { Point } from "../../../../core/cardiac/points.ts";
import { placeInRange, referenceRangeFor } from "../../../../core/cardiac/reference/reference-ranges.ts";
import type { VertebralRuler } from "../../../../core/cardiac/ruler/vertebral-ruler.ts";
import { rladOfOutline } from "../../../../core/cardiac/silhouette/rlad-of-outline.ts";
import { heartAt, movedHeart } from "../../../fixtures/heart-at.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const ruler: VertebralRuler = {
  kind: "detected",
  edges: [0, 1, 2, 3, 4, 5, 6].map((vertebra) => ({ x: 100 + vertebra * 20, y: 50 })),
};
const crossing = { x: 150, y: 135 };
/** A heart that faces left, with its left atrium above and to the right of the crossing of the axes. */
const heart = heartAt([150, 80], [150, 190], [105, 135], [195, 135], [182, 104]);
const alongBisector = (px: number): Point => ({ x: crossing.x + px / Math.SQRT2, y: crossing.y - px / Math.SQRT2 });
const withRlad = (point: Point): PlacedHeart => ({ ...heart, RLAD: point });
const valueAt = (point: Point) => scoreHeart(withRlad(point), ruler).rlad;

describe("RLAD", () => {
  it("is the length along the bisector of the axes, in vertebrae from T4", () => {
    expect(valueAt(alongBisector(36))).toBeCloseTo(1.8, 10);
    const uneven = { ...ruler, edges: ruler.edges.map(({ x, y }, index) => ({ x: x + (index > 1 ? 10 : 0), y })) };
    expect(scoreHeart(withRlad(alongBisector(35)), uneven).rlad).toBeCloseTo(1.5, 10);
  });

  it("is the same for a mirrored film and one rotated by 90 degrees", () => {
    for (const map of [({ x, y }: Point) => ({ x: 500 - x, y }), ({ x, y }: Point) => ({ x: 300 - y, y: x })]) {
      const moved = movedHeart(withRlad(alongBisector(36)), map);
      expect(scoreHeart(moved, { ...ruler, edges: ruler.edges.map(map) }).rlad).toBeCloseTo(1.8, 10);
    }
  });

  it("projects a point onto its line, and returns null behind its start", () => {
    expect(valueAt({ x: crossing.x + 36 * Math.SQRT2, y: crossing.y })).toBeCloseTo(1.8, 10);
    expect(valueAt({ x: crossing.x - 40, y: crossing.y + 40 })).toBeNull();
  });

  it("is absent until placed, and does not affect other geometry", () => {
    const without = scoreHeart(heart, ruler);
    expect("rlad" in without).toBe(false);
    expect(scoreHeart(withRlad(alongBisector(36)), ruler)).toEqual({ ...without, rlad: expect.any(Number) as number });
    expect(scoreHeart(withRlad(crossing), ruler)).toEqual({ ...without, rlad: null });
    const { heart_left } = heart;
    expect(scoreHeart({ ...withRlad(alongBisector(36)), heart_right: heart_left }, ruler).rlad).toBeNull();
  });

  it("follows a moved axis; a line without length keeps none", () => {
    const drawn = withRlad(alongBisector(36));
    const lowered = { ...drawn, heart_left: { x: 195, y: 145 }, heart_right: { x: 105, y: 145 } };
    const point = boundToLines(lowered, drawn).RLAD!;
    expect(point.x - crossing.x).toBeCloseTo(145 - point.y, 10);
    const undrawn = withRlad(crossing);
    expect(boundToLines({ ...lowered, RLAD: crossing }, undrawn).RLAD).toEqual({ x: 150, y: 145 });
  });

  it("is proposed at the intersection of bisector and outline, for either facing direction", () => {
    const outline = pointsAt([100, 100], [200, 100], [190, 190], [100, 190]);
    expect(rladOfOutline(heart, outline)).toEqual({
      x: expect.closeTo(185, 8) as number,
      y: expect.closeTo(100, 8) as number,
    });
    const mirror = ({ x, y }: Point) => ({ x: 500 - x, y });
    expect(rladOfOutline(movedHeart(heart, mirror), outline.map(mirror))?.x).toBeCloseTo(315, 8);
  });

  it("is not proposed if the axes do not cross, or cross outside the outline", () => {
    const outside = pointsAt([10, 10], [30, 10], [20, 40]);
    expect(rladOfOutline(heart, outside)).toBeNull();
    expect(rladOfOutline({ ...heart, heart_right: heart.heart_left }, outside)).toBeNull();
  });

  it("is compared with the published cut-off in dogs, not in cats", () => {
    const range = referenceRangeFor("rlad", "dog", "Cavalier")!;
    expect(range).toMatchObject({ breed: null, low: null, high: 1.8, band: "published_limits" });
    expect(range.source).toMatchObject({
      citation: "Sánchez Salguero et al. 2018, Ir Vet J 71:25",
      identifier: "doi:10.1186/s13620-018-0137-x",
    });
    expect([placeInRange(1.74, range), placeInRange(1.75, range)]).toEqual(["within", "above"]);
    expect(referenceRangeFor("rlad", "cat", "")).toBeNull();
  });
});
