import { describe, expect, test } from "vitest";
import {
  filmToStage,
  fitted,
  frameToStage,
  inverted,
  mapped,
  turned,
  zoomedAt,
  type View,
} from "../../../renderer/film/view.ts";

const film = { widthPx: 3000, heightPx: 2400 };
const frame = { widthPx: 1080, heightPx: 864 };
const stage = { widthPx: 900, heightPx: 600 };
const upright: View = { zoom: 1, panXPx: 0, panYPx: 0, quarterTurns: 0, isFlipped: false };
const views: View[] = [0, 1, 2, 3].flatMap((turns) =>
  [false, true].map((isFlipped) => ({
    zoom: 0.37,
    panXPx: 41,
    panYPx: -13,
    quarterTurns: turns as View["quarterTurns"],
    isFlipped,
  })),
);

describe("the film on the stage", () => {
  test("fits completely and centred, also when rotated", () => {
    const view = fitted(turned(upright), film, stage);
    expect(view.zoom).toBeCloseTo(600 / 3000, 10);
    const corners = [
      { x: 0, y: 0 },
      { x: 3000, y: 2400 },
    ].map((corner) => mapped(filmToStage(view, film, stage), corner));
    expect(corners[0]).toEqual({ x: 690, y: 0 });
    expect(corners[1]).toEqual({ x: 210, y: 600 });
  });

  test.each(views)("is mapped back by the inverse matrix: %o", (view) => {
    const there = filmToStage(view, film, stage);
    const back = mapped(inverted(there), mapped(there, { x: 123.4, y: 567.8 }));
    expect(back.x).toBeCloseTo(123.4, 8);
    expect(back.y).toBeCloseTo(567.8, 8);
  });

  test("keeps the point under the pointer when zoomed", () => {
    const at = { x: 700, y: 120 };
    const before = mapped(inverted(filmToStage(upright, film, stage)), at);
    const after = mapped(inverted(filmToStage(zoomedAt(upright, 1.7, at, stage), film, stage)), at);
    expect(after.x).toBeCloseTo(before.x, 8);
    expect(after.y).toBeCloseTo(before.y, 8);
  });

  test("swaps only left and right when mirrored", () => {
    const left = mapped(filmToStage({ ...upright, isFlipped: true }, film, stage), { x: 0, y: 0 });
    const right = mapped(filmToStage(upright, film, stage), { x: 3000, y: 0 });
    expect(left).toEqual(right);
  });
});

test("places the centre of a processed pixel on the centre of its film pixels", () => {
  const view = fitted(upright, film, stage);
  const viaFrame = mapped(frameToStage(view, film, frame, stage), { x: 100, y: 50 });
  const scale = film.widthPx / frame.widthPx;
  const direct = mapped(filmToStage(view, film, stage), { x: 100.5 * scale, y: 50.5 * scale });
  expect(viaFrame.x).toBeCloseTo(direct.x, 8);
  expect(viaFrame.y).toBeCloseTo(direct.y, 8);
});
