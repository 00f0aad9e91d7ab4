import { createCanvasPainter } from "./film-painter-canvas.ts";
import { createWebglPainter } from "./film-painter-webgl.ts";
import type { FilmPainter } from "./film-painter.ts";

export function createFilmPainter(canvas: HTMLCanvasElement): FilmPainter {
  return createWebglPainter(canvas) ?? createCanvasPainter(canvas);
}
