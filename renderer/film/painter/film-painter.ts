import type { FilmPixels } from "./film-pixels.ts";
import type { Matrix } from "../view.ts";
import type { GreyWindow } from "../window/window-level.ts";

export type FilmFrame = {
  /** From film pixels to canvas pixels (device pixels). */
  readonly matrix: Matrix;
  readonly window: GreyWindow;
  readonly isInverted: boolean;
  readonly sharpen: number;
};

export const sharpenStrength = 1.4;

export type FilmPainter = {
  readonly kind: "webgl" | "canvas";
  setFilm(film: FilmPixels | null): void;
  paint(frame: FilmFrame): void;
  dispose(): void;
};
