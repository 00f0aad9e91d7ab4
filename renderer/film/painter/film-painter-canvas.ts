import { halved, type FilmPixels } from "./film-pixels.ts";
import type { FilmFrame, FilmPainter } from "./film-painter.ts";
import { shadeOf, wholeRange } from "../window/window-level.ts";

/** Maximum number of samples painted; larger films are halved, as repainting without a graphics card is slow. */
const manySamples = 4e6;

/** Draws the film without WebGL: shades it once per window, then transforms it with the canvas. */
export function createCanvasPainter(canvas: HTMLCanvasElement): FilmPainter {
  const context = canvas.getContext("2d", { alpha: false });
  const shaded = document.createElement("canvas");
  let film: FilmPixels | null = null;
  let scale = 1;
  let shadedFor = "";
  return {
    kind: "canvas",
    setFilm: (next) => {
      film = next;
      scale = 1;
      while (film && film.data.length > manySamples) {
        film = halved(film);
        scale *= 2;
      }
      shadedFor = "";
    },
    paint: (frame) => {
      if (!context) return;
      context.resetTransform();
      context.fillRect(0, 0, canvas.width, canvas.height);
      if (!film) return;
      const key = JSON.stringify([frame.window, frame.isInverted, frame.sharpen]);
      if (key !== shadedFor) shade(shaded, film, frame);
      shadedFor = key;
      const { a, b, c, d, e, f } = frame.matrix;
      context.setTransform(a * scale, b * scale, c * scale, d * scale, e, f);
      context.imageSmoothingQuality = "high";
      context.drawImage(shaded, 0, 0);
    },
    dispose: () => undefined,
  };
}

function shade(target: HTMLCanvasElement, film: FilmPixels, frame: FilmFrame): void {
  const { widthPx, heightPx, data, most } = film;
  target.width = widthPx;
  target.height = heightPx;
  const context = target.getContext("2d");
  if (!context) return;
  const picture = context.createImageData(widthPx, heightPx);
  const pixels = new Uint32Array(picture.data.buffer);
  const shades = Uint32Array.from({ length: 256 }, (_, index) => {
    const grey = Math.round(255 * shadeOf(index / 255, wholeRange, frame.isInverted));
    return 0xff000000 | (grey << 16) | (grey << 8) | grey;
  });
  // Shades span the window: over a deep film's whole range, a narrow window would contain only a few of them.
  const perSample = 255 / (frame.window.width * most);
  const first = 255 * (0.5 - frame.window.centre / frame.window.width);
  for (let index = 0; index < data.length; index++) {
    const value = frame.sharpen > 0 ? sharpened(film, index, frame.sharpen) : (data[index] as number);
    pixels[index] = shades[Math.min(255, Math.max(0, Math.round(value * perSample + first)))] as number;
  }
  context.putImageData(picture, 0, 0);
}

/** One sample after an unsharp mask of its four neighbours; the sample itself stands in for those beyond the border. */
export function sharpened(
  { data, widthPx }: Pick<FilmPixels, "data" | "widthPx">,
  index: number,
  strength: number,
): number {
  const value = data[index] as number;
  const column = index % widthPx;
  const left = column > 0 ? data[index - 1] : value;
  const right = column < widthPx - 1 ? data[index + 1] : value;
  const [above = value, below = value] = [data[index - widthPx], data[index + widthPx]];
  return value + strength * (value - ((left ?? value) + (right ?? value) + above + below) / 4);
}
