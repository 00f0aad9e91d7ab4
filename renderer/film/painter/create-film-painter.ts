import { createCanvasPainter } from "./film-painter-canvas.ts";
import { createWebglPainter } from "./film-painter-webgl.ts";
import type { FilmPainter } from "./film-painter.ts";

/** The painter that this machine can run: the graphics card's, otherwise the plain canvas's. */
export function createFilmPainter(canvas: HTMLCanvasElement): FilmPainter {
  return createWebglPainter(canvas) ?? createCanvasPainter(canvas);
}
