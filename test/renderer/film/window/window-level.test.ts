import { expect, test } from "vitest";
import {
  automaticWindow,
  draggedWindow,
  shadeOf,
  wholeRange,
  windowWithin,
} from "../../../../renderer/film/window/window-level.ts";

test("the full range shows every sample unchanged", () => {
  expect([0, 0.25, 1].map((sample) => shadeOf(sample, wholeRange, false))).toEqual([0, 0.25, 1]);
});

test("samples outside the window are black or white; inverting turns them round", () => {
  const grey = { centre: 0.5, width: 0.2 };
  expect([0.3, 0.5, 0.7].map((sample) => shadeOf(sample, grey, false))).toEqual([0, 0.5, 1]);
  expect([0.3, 0.5, 0.7].map((sample) => shadeOf(sample, grey, true))).toEqual([1, 0.5, 0]);
});

test("dragging right widens, dragging up brightens, and no drag leaves the usable range", () => {
  expect(draggedWindow(wholeRange, 0.5, 0)).toEqual({ centre: 0.5, width: 1.5 });
  expect(draggedWindow(wholeRange, 0, -0.25)).toEqual({ centre: 0.25, width: 1 });
  const extreme = draggedWindow(wholeRange, -100, 100);
  expect(extreme.width).toBeGreaterThan(0);
  expect(extreme.centre).toBe(1.5);
});

test("the automatic window spans the film's greys without its burnt-out border", () => {
  const histogram = new Uint32Array(256);
  histogram.fill(100, 64, 129);
  histogram[255] = 10;
  const { centre, width } = automaticWindow(histogram);
  expect(centre - width / 2).toBeCloseTo(64 / 256, 2);
  expect(centre + width / 2).toBeCloseTo(129 / 256, 2);
});

test("an empty or one-coloured film keeps the whole range", () => {
  expect(automaticWindow(new Uint32Array(256))).toEqual(wholeRange);
  const one = new Uint32Array(256);
  one[7] = 500;
  expect(automaticWindow(one)).toEqual(wholeRange);
});

test("films that are windowed together keep what each of them wants to be shown with", () => {
  const own = { centre: 0.25, width: 0.25 };
  expect(windowWithin(own, wholeRange)).toEqual(own);
  expect(windowWithin(own, { centre: 0.75, width: 0.5 })).toEqual({ centre: 0.3125, width: 0.125 });
});
