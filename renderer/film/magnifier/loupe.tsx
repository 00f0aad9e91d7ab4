import { useEffect, useRef } from "react";
import type { FilmPixels } from "../painter/film-pixels.ts";
import { loupeSidePx as sidePx, placeOfLoupe } from "./place-of-loupe.ts";
import { filmToStage, inverted, mapped, type ScreenPoint, type Size, type View } from "../view.ts";
import { shadeOf, type GreyWindow } from "../window/window-level.ts";

const magnification = 3;

type LoupeProps = {
  readonly at: ScreenPoint;
  readonly pixels: FilmPixels;
  readonly view: View;
  readonly stage: Size;
  readonly window: GreyWindow;
  readonly isInverted: boolean;
  /** Point to stay away from, the middle of the heart. */
  readonly avoid?: ScreenPoint | null | undefined;
};

export function Loupe({ at, pixels, view, stage, window: grey, isInverted, avoid = null }: LoupeProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const toStage = filmToStage(view, pixels, stage);
    const centre = mapped(inverted(toStage), at);
    const sideFilmPx = sidePx / (view.zoom * magnification);
    const corner = { x: Math.floor(centre.x - sideFilmPx), y: Math.floor(centre.y - sideFilmPx) };
    const size = Math.ceil(sideFilmPx * 2);
    const scale = magnification * window.devicePixelRatio;
    const { a, b, c, d } = toStage;
    context.resetTransform();
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    const middle = context.canvas.width / 2;
    const e = middle - scale * (a * centre.x + c * centre.y);
    const f = middle - scale * (b * centre.x + d * centre.y);
    context.setTransform(a * scale, b * scale, c * scale, d * scale, e, f);
    context.drawImage(
      cutOut(pixels, corner, size, (sample) => shadeOf(sample, grey, isInverted)),
      corner.x,
      corner.y,
    );
  }, [at, pixels, view, stage, grey, isInverted]);
  const backing = sidePx * window.devicePixelRatio;
  return (
    <div className="loupe" style={placeOfLoupe(at, stage, avoid)} aria-hidden="true" data-testid="loupe">
      <canvas ref={canvas} width={backing} height={backing} />
      <svg viewBox="0 0 168 168">
        <path d="M84 60v18M84 90v18M60 84h18M90 84h18" />
      </svg>
    </div>
  );
}

function cutOut(
  film: FilmPixels,
  corner: ScreenPoint,
  size: number,
  shade: (sample: number) => number,
): OffscreenCanvas {
  const cut = new OffscreenCanvas(size, size);
  const context = cut.getContext("2d");
  if (!context) throw new Error("the canvas has no 2D context");
  const picture = context.createImageData(size, size);
  const pixels = new Uint32Array(picture.data.buffer);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const isInside =
        corner.x + x >= 0 && corner.x + x < film.widthPx && corner.y + y >= 0 && corner.y + y < film.heightPx;
      const sample = isInside ? (film.data[(corner.y + y) * film.widthPx + corner.x + x] as number) / film.most : 0;
      const grey = isInside ? Math.round(shade(sample) * 255) : 0;
      pixels[y * size + x] = 0xff000000 | (grey << 16) | (grey << 8) | grey;
    }
  }
  context.putImageData(picture, 0, 0);
  return cut;
}
