import { create } from "zustand";
import { unloadedBy, type PixelLoading } from "../film/pixel-loading.ts";
import { loadFilmPixels, type FilmPixels } from "../film/painter/film-pixels.ts";
import { sharpenStrength } from "../film/painter/film-painter.ts";
import { fitted, panned, tilted, turned, zoomedAt, type ScreenPoint, type Size, type View } from "../film/view.ts";
import { wholeRange, type GreyWindow } from "../film/window/window-level.ts";
import { useProbe } from "./stage/probe-slice.ts";
import { preferredPreset, windowOf, type WindowPreset } from "../film/window/window-presets.ts";

type ViewerState = {
  readonly pixels: FilmPixels | null;
  readonly loading: PixelLoading;
  readonly stage: Size;
  readonly view: View;
  /** View at the start of a drag of the film, relative to which the overlay is shifted; null without a drag. */
  readonly panFrom: View | null;
  /** Whether the view follows the stage's size; false once the user zooms or pans. */
  readonly isFitted: boolean;
  readonly window: GreyWindow;
  readonly isInverted: boolean;
  readonly sharpen: number;
  readonly show: (url: string | null) => void;
  readonly setStage: (stage: Size) => void;
  readonly fit: () => void;
  readonly actualSize: () => void;
  readonly zoomBy: (factor: number, at?: ScreenPoint) => void;
  readonly startPan: () => void;
  readonly panBy: (xPx: number, yPx: number) => void;
  readonly endPan: () => void;
  readonly rotate: (direction: 1 | -1) => void;
  readonly tilt: (byDeg: number) => void;
  readonly straighten: () => void;
  readonly flip: () => void;
  readonly setWindow: (window: GreyWindow) => void;
  /** Restores the window with which films open. */
  readonly resetWindow: () => void;
  readonly applyPreset: (preset: WindowPreset) => void;
  readonly toggleInvert: () => void;
  readonly toggleSharpen: () => void;
};

const upright: View = { zoom: 1, panXPx: 0, panYPx: 0, quarterTurns: 0, isFlipped: false };

export const useViewer = create<ViewerState>((set, get) => {
  let loading = new AbortController();
  const fitNow = (view: View): View => {
    const { pixels, stage } = get();
    return pixels && stage.widthPx > 0 ? fitted(view, pixels, stage) : view;
  };
  const turnTo = (view: View) => set({ view: get().isFitted ? fitNow(view) : view });
  return {
    pixels: null,
    loading: "nothing",
    stage: { widthPx: 0, heightPx: 0 },
    view: upright,
    panFrom: null,
    isFitted: true,
    window: wholeRange,
    isInverted: false,
    sharpen: 0,
    show: (url) => {
      loading.abort();
      useProbe.getState().clear();
      set({
        pixels: null,
        loading: url ? "loading" : "nothing",
        isFitted: true,
        isInverted: false,
        sharpen: 0,
        view: upright,
      });
      if (!url) return;
      const { signal } = (loading = new AbortController());
      loadFilmPixels(url, signal).then(
        (pixels) => {
          if (signal.aborted) return;
          set({ pixels, loading: "ready", window: windowOf(preferredPreset(), pixels) });
          set({ view: fitNow(upright) });
        },
        (error: unknown) => {
          if (signal.aborted) return;
          set({ loading: unloadedBy(error) });
        },
      );
    },
    setStage: (stage) => {
      set({ stage });
      if (get().isFitted) set({ view: fitNow(get().view) });
    },
    fit: () => set({ view: fitNow(get().view), isFitted: true }),
    actualSize: () => {
      const { view, stage } = get();
      const centre = { x: stage.widthPx / 2, y: stage.heightPx / 2 };
      set({ view: zoomedAt(view, 1 / window.devicePixelRatio / view.zoom, centre, stage), isFitted: false });
    },
    zoomBy: (factor, at) => {
      const { view, stage } = get();
      set({
        view: zoomedAt(view, factor, at ?? { x: stage.widthPx / 2, y: stage.heightPx / 2 }, stage),
        isFitted: false,
      });
    },
    startPan: () => set({ panFrom: get().view }),
    endPan: () => set({ panFrom: null }),
    panBy: (xPx, yPx) => set({ view: panned(get().view, xPx, yPx), isFitted: false }),
    rotate: (direction) => turnTo(turned(get().view, direction)),
    tilt: (byDeg) => turnTo(tilted(get().view, byDeg)),
    straighten: () => turnTo({ ...get().view, quarterTurns: 0, tiltDeg: 0 }),
    flip: () => set({ view: { ...get().view, isFlipped: !get().view.isFlipped } }),
    setWindow: (next) => set({ window: next }),
    resetWindow: () => {
      const { pixels } = get();
      set({ window: pixels ? windowOf(preferredPreset(), pixels) : wholeRange, isInverted: false });
    },
    applyPreset: (preset) => {
      const { pixels } = get();
      if (pixels) set({ window: windowOf(preset, pixels) });
    },
    toggleInvert: () => set({ isInverted: !get().isInverted }),
    toggleSharpen: () => set({ sharpen: get().sharpen > 0 ? 0 : sharpenStrength }),
  };
});
