import { expect, test } from "vitest";
import { rulerByHand, scoreByHand, shiftRuler } from "../../../../core/cardiac/ruler/ruler-by-hand.ts";
import { heartAt } from "../../../fixtures/heart-at.ts";

const edges = [0, 10, 20, 30, 40, 50, 60, 70].map((x) => ({ x, y: 0 }));
const heart = heartAt([30, 20], [30, 75], [10, 50], [50, 50], [50, 20]);

test("cuts a corrected ruler after the vertebra in which the long axis ends", () => {
  expect(rulerByHand(edges, 55)).toEqual({ edges: edges.slice(0, 7), kind: "detected" });
});

test("accepts an uneven ruler placed by a user", () => {
  const uneven = [0, 5, 30, 34, 70].map((x) => ({ x, y: 0 }));
  expect(rulerByHand(uneven, 60)).toEqual({ edges: uneven, kind: "detected" });
});

test("throws for fewer than two edges", () => {
  expect(() => rulerByHand(edges.slice(0, 1), 55)).toThrow(expect.objectContaining({ code: "EDGES_COINCIDE" }));
});

test("divides two edges into six equal parts, as in the published formula", () => {
  const { score, ruler } = scoreByHand(heart, [
    { x: 0, y: 0 },
    { x: 60, y: 0 },
  ]);
  expect(ruler.edges).toHaveLength(7);
  expect(score.vhs).toBeCloseTo((6 * (55 + 40)) / 60, 10);
});

test("scores the points, with a null VLAS if only its point is missing", () => {
  expect(scoreByHand(heart, edges).score).toMatchObject({
    vhs: 9.5,
    vlas: 2,
    longAxisVertebrae: 5.5,
    shortAxisVertebrae: 4,
  });
  expect(scoreByHand({ ...heart, VLAS: null }, edges).score).toMatchObject({ vhs: 9.5, vlas: null });
});

test("keeps the detected angle until an end of an axis moves", () => {
  const found = { heart, score: { axesAngleDeg: 83 } };
  const moved = { ...heart, heart_left: { x: 50, y: 60 } };
  const angles = [
    scoreByHand(heart, edges.slice(1), found),
    scoreByHand({ ...heart, VLAS: { x: 45, y: 22 } }, edges, found),
    scoreByHand(heart, edges),
    scoreByHand(moved, edges, found),
  ].map(({ score }) => Math.round(score.axesAngleDeg));
  expect(angles).toEqual([83, 83, 90, 76]);
});

test("shifts the ruler by one vertebra in either direction and back", () => {
  expect(shiftRuler(edges, "caudal")).toEqual(edges.slice(1));
  expect(shiftRuler(edges, "cranial")[0]).toEqual({ x: -10, y: 0 });
  expect(shiftRuler(shiftRuler(edges, "cranial"), "caudal")).toEqual(edges);
  expect([2, 3, 4].map((count) => shiftRuler(edges.slice(0, count), "caudal").length)).toEqual([2, 3, 3]);
  expect([2, 3].map((count) => shiftRuler(edges.slice(0, count), "cranial").length)).toEqual([2, 4]);
});

test("throws for coinciding edges", () => {
  expect(() => scoreByHand(heart, [])).toThrow("Vertebral edges coincide");
  expect(() => scoreByHand(heart, [edges[0]!, edges[0]!, edges[1]!])).toThrow("Vertebral edges coincide");
});
