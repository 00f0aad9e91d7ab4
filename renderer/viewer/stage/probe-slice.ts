import { create } from "zustand";
import type { FilmPixels } from "../../film/painter/film-pixels.ts";
import type { ScreenPoint, Size } from "../../film/view.ts";

type ProbeState = {
  /** Column and row of the pixel read out, from 0; null while the pointer is outside the film, without a crosshair. */
  readonly at: ScreenPoint | null;
  /** Whether the crosshair is shown at `at`; the pointer then moves it only by a click. */
  readonly hasCrosshair: boolean;
  /** @param place  position of the pointer on the film [px]; null outside */
  readonly pointAt: (film: Size, place: ScreenPoint | null) => void;
  /** Moves the crosshair to a position, limited to the film [px]. */
  readonly putCrosshair: (film: Size, place: ScreenPoint) => void;
  readonly clear: () => void;
};

/** The pixel read out. A separate store, so that pointer moves do not repaint the film. */
export const useProbe = create<ProbeState>((set, get) => ({
  at: null,
  hasCrosshair: false,
  pointAt: (film, place) => {
    const { at, hasCrosshair } = get();
    if (hasCrosshair) return;
    const pixel = place && pixelAt(film, place);
    if (pixel?.x !== at?.x || pixel?.y !== at?.y) set({ at: pixel });
  },
  putCrosshair: (film, place) =>
    set({ hasCrosshair: true, at: { x: within(place.x, film.widthPx), y: within(place.y, film.heightPx) } }),
  clear: () => set({ at: null, hasCrosshair: false }),
}));

function pixelAt(film: Size, { x, y }: ScreenPoint): ScreenPoint | null {
  return x >= 0 && y >= 0 && x < film.widthPx && y < film.heightPx ? { x: Math.floor(x), y: Math.floor(y) } : null;
}

/** Rounding error of a conversion to the stage and back, which matters at pixel borders [px]. */
const roundingPx = 1e-6;

function within(place: number, sidePx: number): number {
  return Math.min(sidePx - 1, Math.max(0, Math.floor(place + roundingPx)));
}

/** Value of a pixel. `value`: in the modality's unit; `grey`: raw sample without a unit, `most` is white. */
export type Sample =
  | { readonly kind: "value"; readonly value: number; readonly digits: number; readonly unit: string | null }
  | { readonly kind: "grey"; readonly grey: number; readonly most: number };

export function sampleAt({ data, widthPx, most, value }: FilmPixels, { x, y }: ScreenPoint): Sample {
  const sample = data[y * widthPx + x] as number;
  if (!value) return { kind: "grey", grey: sample, most };
  const isWhole = Number.isInteger(value.slope) && Number.isInteger(value.intercept);
  return { kind: "value", value: value.slope * sample + value.intercept, digits: isWhole ? 0 : 2, unit: value.unit };
}
