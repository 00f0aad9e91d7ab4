import type { FilmPixels } from "./film-pixels.ts";
import { createCanvasPainter } from "./film-painter-canvas.ts";
import { createWebglPainter } from "./film-painter-webgl.ts";
import type { Matrix } from "./view.ts";
import type { GreyWindow } from "./window-level.ts";

/** One picture of the film: where it lies and how its greys are shown. */
export type FilmFrame = {
  /** Film px -> canvas px (device pixels). */
  readonly matrix: Matrix;
  readonly window: GreyWindow;
  readonly isInverted: boolean;
  /** Strength of the unsharp mask, 0 = off. */
  readonly sharpen: number;
};

/** Draws a film on a canvas. */
export type FilmPainter = {
  readonly kind: "webgl" | "canvas";
  setFilm(film: FilmPixels | null): void;
  paint(frame: FilmFrame): void;
  dispose(): void;
};

/** The painter that this machine can run: the graphics card's, otherwise the plain canvas's. */
export function createFilmPainter(canvas: HTMLCanvasElement): FilmPainter {
  return createWebglPainter(canvas) ?? createCanvasPainter(canvas);
}
