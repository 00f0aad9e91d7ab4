import { createCanvasPainter } from "./film-painter-canvas.ts";
import { createWebglPainter } from "./film-painter-webgl.ts";
import type { FilmPainter } from "./film-painter.ts";

/** Creates a WebGL painter, or a canvas painter without WebGL2. */
export function createFilmPainter(canvas: HTMLCanvasElement): FilmPainter {
  return createWebglPainter(canvas) ?? createCanvasPainter(canvas);
}
