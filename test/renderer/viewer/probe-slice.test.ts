import { beforeEach, describe, expect, test } from "vitest";
import type { FilmPixels } from "../../../renderer/film/painter/film-pixels.ts";
import { sampleAt, useProbe } from "../../../renderer/viewer/stage/probe-slice.ts";

const film = { widthPx: 4, heightPx: 3 };
const pixels: FilmPixels = {
  ...film,
  data: Uint16Array.from({ length: 12 }, (_, index) => index * 100),
  most: 4095,
  window: null,
  value: null,
  histogram: new Uint32Array(256),
};
const state = () => {
  const { at, hasCrosshair } = useProbe.getState();
  return { at, hasCrosshair };
};

beforeEach(() => useProbe.getState().clear());

describe("the pixel read out", () => {
  test("is the pixel under the pointer, and null outside the film", () => {
    const { pointAt } = useProbe.getState();
    const seen = [{ x: 2.9, y: 1.2 }, { x: 3.999, y: 2.999 }, { x: 4, y: 1 }, { x: -0.1, y: 1 }, null].map((place) => {
      pointAt(film, place);
      return state().at;
    });
    expect(seen).toEqual([{ x: 2, y: 1 }, { x: 3, y: 2 }, null, null, null]);
  });

  test("stays at the crosshair, which stays on the film", () => {
    const { pointAt, putCrosshair, clear } = useProbe.getState();
    putCrosshair(film, { x: 9, y: -5 });
    pointAt(film, { x: 1, y: 1 });
    expect(state()).toEqual({ at: { x: 3, y: 0 }, hasCrosshair: true });
    clear();
    expect(state()).toEqual({ at: null, hasCrosshair: false });
  });

  test("is the pixel after the border in the middle of the film, despite rounding", () => {
    for (const y of [1.9999999999, 2, 2.0000000001]) {
      useProbe.getState().putCrosshair(film, { x: 1, y });
      expect(state().at).toEqual({ x: 1, y: 2 });
    }
  });
});

describe("values of a pixel", () => {
  test("shows the grey level without a modality value", () => {
    expect(sampleAt(pixels, { x: 1, y: 2 })).toEqual({ kind: "grey", grey: 900, most: 4095 });
  });

  test("shows the modality's value and unit, with decimals only if needed", () => {
    expect(sampleAt({ ...pixels, value: { slope: -1, intercept: 4095, unit: null } }, { x: 1, y: 2 })).toEqual({
      kind: "value",
      value: 3195,
      digits: 0,
      unit: null,
    });
    expect(sampleAt({ ...pixels, value: { slope: 0.25, intercept: -1000, unit: "HU" } }, { x: 3, y: 0 })).toEqual({
      kind: "value",
      value: -925,
      digits: 2,
      unit: "HU",
    });
  });
});
