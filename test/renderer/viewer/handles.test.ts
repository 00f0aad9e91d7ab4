import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { emptyDraft } from "../../../renderer/film/draft/draft.ts";
import { marksOf } from "../../../renderer/film/marks.ts";
import { Handles } from "../../../renderer/viewer/stage/handles.tsx";
import { pointsAt } from "../../fixtures/points-at.ts";

test("labels a vertebral edge outside the film as such, and lets it be dragged", () => {
  const matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const edges = pointsAt([40, 10], [80, 10], [120, 10]);
  const marks = marksOf({ ...emptyDraft, edges }, edges, { widthPx: 100, heightPx: 100 }, matrix);
  const drawn = renderToStaticMarkup(createElement(Handles, { marks, matrix }));
  expect(
    [...drawn.matchAll(/class="(handle[^"]*)"[^>]*aria-label="([^"]*)"/g)].map(([, kind, name]) => [kind, name]),
  ).toEqual([
    ["handle", "Cranial edge of T4"],
    ["handle", "Cranial edge of T5"],
    ["handle outside", "Cranial edge of T6, outside the film"],
  ]);
});
