import { ownWindow, type FilmPixels } from "../painter/film-pixels.ts";
import { automaticWindow, wholeRange, type GreyWindow } from "./window-level.ts";
import { preferenceOf, usePreferences } from "../../state/preferences.ts";

/** Presets of the grey window. `film`: the film's initial window; `own`: the window saved by the user. */
export const windowPresets = ["film", "automatic", "lung", "heart", "bone", "own"] as const;
export type WindowPreset = (typeof windowPresets)[number];

/**
 * Percentiles of the film's greys that map to black and white. Radiographs have no calibrated scale as CT has, so the
 * film's histogram determines the dark (air) and bright (bone) ends.
 */
const shares = { automatic: [0.01, 0.995], lung: [0.02, 0.8], heart: [0.3, 0.985], bone: [0.5, 0.999] } as const;

export function windowOf(preset: WindowPreset, pixels: FilmPixels): GreyWindow {
  if (preset === "film") return ownWindow(pixels);
  if (preset === "own") return keptWindow();
  return automaticWindow(pixels.histogram, ...shares[preset]);
}

export function preferredPreset(): WindowPreset {
  const chosen = preferenceOf<string>(usePreferences.getState().values, "window.preset", "film");
  return windowPresets.find((preset) => preset === chosen) ?? "film";
}

export function preferPreset(preset: WindowPreset): void {
  usePreferences.getState().change({ "window.preset": preset });
}

export function saveOwnWindow({ centre, width }: GreyWindow): void {
  usePreferences.getState().change({ "window.own.centre": centre, "window.own.width": width, "window.preset": "own" });
}

function keptWindow(): GreyWindow {
  const { values } = usePreferences.getState();
  const width = preferenceOf(values, "window.own.width", wholeRange.width);
  return {
    centre: preferenceOf(values, "window.own.centre", wholeRange.centre),
    width: width > 0 ? width : wholeRange.width,
  };
}
