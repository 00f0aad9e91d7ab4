import { beforeEach, expect, test } from "vitest";
import type { FilmPixels } from "../../../../renderer/film/painter/film-pixels.ts";
import { usePreferences } from "../../../../renderer/state/preferences.ts";
import { preferredPreset, windowOf, windowPresets } from "../../../../renderer/film/window/window-presets.ts";

const film = (most: number): FilmPixels => ({
  widthPx: 16,
  heightPx: 16,
  data: new Uint8Array(256),
  most,
  window: null,
  value: null,
  histogram: new Uint32Array(256).fill(100),
});

beforeEach(() => usePreferences.setState({ values: {} }));

test("orders presets from dark to bright, each narrower than the whole range", () => {
  const [automatic, lung, heart, bone] = (["automatic", "lung", "heart", "bone"] as const).map((preset) =>
    windowOf(preset, film(255)),
  );
  expect([lung!.centre, heart!.centre, bone!.centre]).toEqual(
    [lung!.centre, heart!.centre, bone!.centre].sort((a, b) => a - b),
  );
  for (const window of [lung!, heart!, bone!]) expect(window.width).toBeLessThan(automatic!.width);
});

test("opens a film unchanged until the user prefers another window", () => {
  expect([preferredPreset(), windowOf("film", film(255))]).toEqual(["film", { centre: 0.5, width: 1 }]);
  usePreferences.setState({ values: { "window.preset": "own", "window.own.centre": 0.4, "window.own.width": 0.3 } });
  expect([preferredPreset(), windowOf(preferredPreset(), film(255))]).toEqual(["own", { centre: 0.4, width: 0.3 }]);
});

test("ignores an invalid stored preference", () => {
  usePreferences.setState({
    values: { "window.preset": "contrast", "window.own.width": 0, "window.own.centre": "high" },
  });
  expect([preferredPreset(), windowOf("own", film(255))]).toEqual(["film", { centre: 0.5, width: 1 }]);
  expect(windowPresets).toHaveLength(6);
});
