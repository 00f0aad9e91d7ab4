import { create } from "zustand";
import type { FilmPixels } from "../../film/painter/film-pixels.ts";
import type { ScreenPoint, Size } from "../../film/view.ts";

type ProbeState = {
  /**
   * Column and row of the film's pixel that is read out, from 0; null while the pointer is elsewhere and there is no
   * crosshair.
   */
  readonly at: ScreenPoint | null;
  /** The crosshair of the keyboard stands at `at`; the pointer then only moves it by a click. */
  readonly hasCrosshair: boolean;
  /** The pointer is over a place of the film, in its pixels; null when it leaves the film. */
  readonly pointAt: (film: Size, place: ScreenPoint | null) => void;
  /** Puts the crosshair somewhere, or as near to it as the film reaches. */
  readonly putCrosshair: (film: Size, place: ScreenPoint) => void;
  readonly clear: () => void;
};

/** Which pixel is read out. A store of its own: the film is not painted anew because the pointer moves over it. */
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

/** The pixel under a place of the film; null beside the film. */
function pixelAt(film: Size, { x, y }: ScreenPoint): ScreenPoint | null {
  return x >= 0 && y >= 0 && x < film.widthPx && y < film.heightPx ? { x: Math.floor(x), y: Math.floor(y) } : null;
}

/** What a way there and back over the stage takes off a place on the border of two pixels, and more [px]. */
const roundingPx = 1e-6;

function within(place: number, sidePx: number): number {
  return Math.min(sidePx - 1, Math.max(0, Math.floor(place + roundingPx)));
}

/**
 * What a pixel says. `value`: in the modality's own quantity; `grey`: of a film whose samples are all there is, `most`
 * is white.
 */
export type Sample =
  | { readonly kind: "value"; readonly value: number; readonly digits: number; readonly unit: string | null }
  | { readonly kind: "grey"; readonly grey: number; readonly most: number };

/** Reads a pixel of the film. */
export function sampleAt({ data, widthPx, most, value }: FilmPixels, { x, y }: ScreenPoint): Sample {
  const sample = data[y * widthPx + x] as number;
  if (!value) return { kind: "grey", grey: sample, most };
  const isWhole = Number.isInteger(value.slope) && Number.isInteger(value.intercept);
  return { kind: "value", value: value.slope * sample + value.intercept, digits: isWhole ? 0 : 2, unit: value.unit };
}
