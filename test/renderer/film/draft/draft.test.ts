import { expect, test } from "vitest";
import {
  emptyDraft,
  geometryOf,
  nextToPlace,
  withSkipped,
  scoreOfDraft,
  undrawnMeasure,
  withMeasure,
  withPoint,
  handlesOf,
  withProposed,
  withShiftedRuler,
  type Draft,
} from "../../../../renderer/film/draft/draft.ts";
import { measures } from "../../../../core/cardiac/measures/measures.ts";
import { heartAt } from "../../../fixtures/heart-at.ts";

const rlad = measures.find(({ name }) => name === "rlad")!;
const frame = { widthPx: 200, heightPx: 100 };
const edges = [0, 10, 20, 30, 40, 50, 60, 70].map((x) => ({ x, y: 0 }));
const draft: Draft = {
  heart: heartAt([30, 20], [30, 75], [10, 50], [50, 50], [50, 20]),
  edges,
};

test("computes the score of the current points", () => {
  expect(scoreOfDraft(draft)?.score).toMatchObject({ vhs: 9.5, vlas: 2 });
  expect(scoreOfDraft(withPoint(draft, "heart_bottom", { x: 30, y: 85 }, frame))?.score.vhs).toBe(10.5);
});

test("changes only the edge and the score when a ruler edge is moved", () => {
  const moved = withPoint(draft, 4, { x: 44, y: 0 }, frame);
  expect(moved.heart).toBe(draft.heart);
  expect(moved.edges[4]).toEqual({ x: 44, y: 0 });
  expect(scoreOfDraft(moved)?.score.vhs).not.toBe(9.5);
});

test("keeps points inside the film", () => {
  expect(withPoint(draft, "VLAS", { x: 999, y: -50 }, frame).heart.VLAS).toEqual({ x: 199.5, y: -0.5 });
});

test("shifts the ruler to the networks' other count and back to theirs", () => {
  const other = { direction: "cranial", edges: [{ x: -9, y: 3 }, ...edges] } as const;
  const counts = { edges, other: { ...other, edges: [...other.edges] } };
  const shifted = withShiftedRuler(draft, "cranial", counts);
  expect(shifted.edges).toEqual(other.edges);
  expect(withShiftedRuler(shifted, "caudal", counts).edges).toEqual(edges);
  const moved = withPoint(draft, 1, { x: 12, y: 0 }, frame);
  expect(withShiftedRuler(moved, "cranial", counts).edges[0]).toEqual({ x: -12, y: 0 });
});

test("restores the proposed position of one point, for an edge the nearest proposed one", () => {
  const apart = withPoint(withPoint(draft, "heart_top", { x: 3, y: 3 }, frame), 4, { x: 43, y: 2 }, frame);
  expect(withProposed(apart, "heart_top", draft)).toEqual({ ...draft, edges: apart.edges });
  expect(withProposed(apart, 4, draft)).toEqual({ ...draft, heart: apart.heart });
  expect(withProposed({ ...draft, edges: edges.slice(2) }, 0, draft).edges).toEqual(edges.slice(2));
});

test("keeps a new line undrawn when a point is restored", () => {
  const added = withMeasure(withPoint(draft, "heart_left", { x: 50, y: 30 }, frame), rlad);
  const restored = withProposed(added, "heart_left", draft);
  expect(undrawnMeasure(restored)?.name).toBe("rlad");
  expect(geometryOf(restored)).toBeNull();
});

test("lists handles from the base of the heart to the last edge", () => {
  const handles = handlesOf({ ...draft, heart: { ...draft.heart, VLAS: null }, edges: edges.slice(0, 2) });
  expect(handles).toEqual(["heart_top", "heart_bottom", "heart_right", "heart_left", 0, 1]);
});

test("requests the heart, an optional left atrium, then edge by edge when measuring by hand", () => {
  expect(nextToPlace(emptyDraft)).toBe("heart_top");
  const withoutAtrium = { heart: { ...draft.heart, VLAS: null }, edges: [] };
  expect(nextToPlace(withoutAtrium)).toBe("VLAS");
  expect(nextToPlace(withSkipped(withoutAtrium))).toBe(0);
  expect(nextToPlace({ ...draft, edges: edges.slice(0, 3) })).toBe(3);
});

test("has neither score nor geometry while unfinished, and no score while edges coincide", () => {
  expect([scoreOfDraft(emptyDraft), geometryOf(emptyDraft)]).toEqual([null, null]);
  expect(scoreOfDraft({ ...draft, edges: [edges[0]!, edges[0]!, edges[1]!] })).toBeNull();
});

/** An ellipse around the axes of a heart whose apex is at (100, 180). */
const ellipse = Array.from({ length: 120 }, (_, index) => {
  const angle = (2 * Math.PI * index) / 120;
  return { x: 100 + 45 * Math.cos(angle), y: 110 + 70 * Math.sin(angle) };
});
const outlined: Draft = {
  heart: heartAt([100, 40], [100, 180], [57, 88], [143, 88], [130, 60]),
  edges: edges.map(({ x, y }) => ({ x: 2 * x, y })),
  outline: ellipse,
};
const large = { widthPx: 400, heightPx: 400 };

test("moves neighbours with a point of the outline, and the axes with the outline", () => {
  const [right, apex] = [0, 30];
  const wider = withPoint(outlined, `outline-${right}`, { x: 165, y: 110 }, large);
  expect(wider.outline?.[right]).toEqual({ x: 165, y: 110 });
  expect(wider.outline?.[60]).toEqual(ellipse[60]);
  expect(wider.outline?.[4]?.x).toBeGreaterThan((ellipse[4]?.x ?? 0) + 1);
  expect(wider.heart.heart_left?.x).toBeGreaterThan(outlined.heart.heart_left?.x ?? 0);
  const longer = withPoint(outlined, `outline-${apex}`, { x: 100, y: 195 }, large);
  expect(longer.outline).toContainEqual(longer.heart.heart_bottom);
  expect(longer.heart.heart_bottom?.y).toBeGreaterThan(193);
  expect(longer.heart.heart_top).toEqual(outlined.heart.heart_top);
  expect(scoreOfDraft(longer)?.score.vhs).toBeGreaterThan(scoreOfDraft(outlined)?.score.vhs ?? Infinity);
});

test("drops the outline when the end of an axis is moved, but not for the left atrium or the ruler", () => {
  expect(withPoint(outlined, "heart_bottom", { x: 100, y: 190 }, large).outline).toBeUndefined();
  expect(withPoint(outlined, "VLAS", { x: 131, y: 61 }, large).outline).toBe(ellipse);
  expect(withPoint(outlined, 2, { x: 21, y: 1 }, large).outline).toBe(ellipse);
});

test("lists handles of the outline after the ruler, and saves the outline", () => {
  // There is no handle next to the apex, which is point 30 of the outline.
  const handles = handlesOf(outlined).slice(-3);
  expect(handles.every((handle) => /^outline-\d+$/.test(String(handle)))).toBe(true);
  expect(handlesOf(outlined)).not.toContain("outline-32");
  expect(geometryOf(outlined)?.outline).toEqual(ellipse);
  expect(geometryOf(draft)).not.toHaveProperty("outline");
});
