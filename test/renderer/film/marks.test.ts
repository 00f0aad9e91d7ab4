import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { scoreOfDraft, type Draft } from "../../../renderer/film/draft/draft.ts";
import { labelsOf, marksOf } from "../../../renderer/film/marks.ts";
import { ReadingMarks } from "../../../renderer/film/overlay.tsx";
import { fitted, frameToStage } from "../../../renderer/film/view.ts";
import { heartAt } from "../../fixtures/heart-at.ts";

/** A film on a stage twice as wide, with a column of 60 px per vertebra from x = 700, so that T9 lies outside. */
const film = { widthPx: 1000, heightPx: 800 };
const stage = { widthPx: 2000, heightPx: 800 };
const matrix = frameToStage(
  fitted({ zoom: 1, panXPx: 0, panYPx: 0, quarterTurns: 0, isFlipped: false }, film, stage),
  film,
  film,
  stage,
);
const filmOnStage = { left: 500, right: 1500 };
const draft: Draft = {
  heart: heartAt([500, 300], [500, 600], [400, 450], [620, 450], [600, 320]),
  edges: Array.from({ length: 10 }, (_, index) => ({ x: 720 + 60 * index, y: 100 })),
};
const marksAt = (shiftPx: number) => {
  const moved = { ...draft, edges: draft.edges.map(({ x, y }) => ({ x: x + shiftPx, y })) };
  const { ruler, score } = scoreOfDraft(moved)!;
  return { marks: marksOf(moved, ruler.edges, film, matrix), score };
};

test("draws the ruler within the film only, without ticks, dots or names outside", () => {
  const { marks, score } = marksAt(0);
  const drawn = renderToStaticMarkup(createElement(ReadingMarks, { marks, score, stage, hasLabels: false }));
  const ruler = drawn.slice(drawn.indexOf('class="mark ruler"'), drawn.indexOf('class="mark long"'));
  const xs = [...ruler.matchAll(/(?:x1|x2|cx)="([\d.-]+)"|(?:points="| )([\d.-]+),/g)].map(([, x, pathX]) =>
    Number(x ?? pathX),
  );
  expect(marks.rulerEdges.map(({ isOutside }) => isOutside)).toEqual([false, false, false, false, false, true]);
  expect(Math.max(...xs)).toBe(filmOnStage.right);
  // Halo and tick of five edges; no dot, as all edges beyond B lie outside.
  expect([
    ruler.match(/<line /g)?.length,
    ruler.match(/<polyline /g)?.length,
    ruler.match(/<circle /g)?.length ?? 0,
  ]).toEqual([10, 2, 0]);
  expect(
    labelsOf(marks, score, String)
      .filter(({ id }) => id.startsWith("edge"))
      .map(({ text }) => text),
  ).toEqual(["T4", "T5", "T6", "T7", "T8"]);
});

test("names fewer vertebrae if they are close on the stage", () => {
  const near = frameToStage({ zoom: 0.15, panXPx: 0, panYPx: 0, quarterTurns: 0, isFlipped: false }, film, film, stage);
  const { ruler, score } = scoreOfDraft(draft)!;
  const labels = labelsOf(marksOf(draft, ruler.edges, film, near), score, String);
  expect(labels.filter(({ id }) => id.startsWith("edge")).map(({ text }) => text)).toEqual(["T4", "T7"]);
});

test("draws dots for edges beyond the ruler, on the film only", () => {
  const { marks, score } = marksAt(-150);
  const drawn = renderToStaticMarkup(createElement(ReadingMarks, { marks, score, stage, hasLabels: false }));
  const dots = [...drawn.matchAll(/class="beyond" cx="([\d.]+)"/g)].map(([, x]) => Number(x));
  expect([marks.rulerEdges.length, marks.edges.length, dots]).toEqual([6, 10, [1430.5, 1490.5]]);
});

test("draws a ruler within its film as one line with a tick at every edge", () => {
  const { marks } = marksAt(-500);
  expect(marks.rulerLines).toEqual([marks.rulerEdges.map(({ x, y }) => ({ x, y }))]);
  expect(marks.vertebrae.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
});
