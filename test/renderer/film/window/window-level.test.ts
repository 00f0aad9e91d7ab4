import { expect, test } from "vitest";
import {
  automaticWindow,
  windowAfterDrag,
  shadeOf,
  wholeRange,
  windowWithin,
} from "../../../../renderer/film/window/window-level.ts";

test("shows every sample unchanged in the full range", () => {
  expect([0, 0.25, 1].map((sample) => shadeOf(sample, wholeRange, false))).toEqual([0, 0.25, 1]);
});

test("shows samples outside the window as black or white, and the reverse when inverted", () => {
  const grey = { centre: 0.5, width: 0.2 };
  expect([0.3, 0.5, 0.7].map((sample) => shadeOf(sample, grey, false))).toEqual([0, 0.5, 1]);
  expect([0.3, 0.5, 0.7].map((sample) => shadeOf(sample, grey, true))).toEqual([1, 0.5, 0]);
});

test("widens when dragged right, brightens when dragged up, and stays in the usable range", () => {
  expect(windowAfterDrag(wholeRange, 0.5, 0)).toEqual({ centre: 0.5, width: 1.5 });
  expect(windowAfterDrag(wholeRange, 0, -0.25)).toEqual({ centre: 0.25, width: 1 });
  const extreme = windowAfterDrag(wholeRange, -100, 100);
  expect(extreme.width).toBeGreaterThan(0);
  expect(extreme.centre).toBe(1.5);
});

test("excludes an overexposed border from the automatic window", () => {
  const histogram = new Uint32Array(256);
  histogram.fill(100, 64, 129);
  histogram[255] = 10;
  const { centre, width } = automaticWindow(histogram);
  expect(centre - width / 2).toBeCloseTo(64 / 256, 2);
  expect(centre + width / 2).toBeCloseTo(129 / 256, 2);
});

test("keeps the whole range for an empty film or a film of one grey", () => {
  expect(automaticWindow(new Uint32Array(256))).toEqual(wholeRange);
  const one = new Uint32Array(256);
  one[7] = 500;
  expect(automaticWindow(one)).toEqual(wholeRange);
});

test("applies a shared window relative to the film's own window", () => {
  const own = { centre: 0.25, width: 0.25 };
  expect(windowWithin(own, wholeRange)).toEqual(own);
  expect(windowWithin(own, { centre: 0.75, width: 0.5 })).toEqual({ centre: 0.3125, width: 0.125 });
});
