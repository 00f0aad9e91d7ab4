import { useEffect, useRef, useState, type RefObject } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { createFilmPainter } from "../film/painter/create-film-painter.ts";
import type { FilmPainter } from "../film/painter/film-painter.ts";
import { loadFilmPixels, pixelsUrl, type FilmPixels } from "../film/painter/film-pixels.ts";
import type { Size } from "../film/view.ts";
import { attempt } from "../state/faults.ts";

export function usePixels(film: Film): FilmPixels | null {
  const [pixels, setPixels] = useState<FilmPixels | null>(null);
  const url = pixelsUrl(film);
  useEffect(() => {
    if (!url) return;
    const loading = new AbortController();
    attempt(async () => {
      const loaded = await loadFilmPixels(url, loading.signal).catch((error: unknown) => {
        if (loading.signal.aborted) return null;
        throw error;
      });
      setPixels(loaded);
    });
    return () => loading.abort();
  }, [url]);
  return pixels;
}

/** Keeps a canvas as large as its parent and repaints it on each change. */
export function usePainted(
  canvas: RefObject<HTMLCanvasElement | null>,
  pixels: FilmPixels | null,
  frameAt: (ratio: number) => Parameters<FilmPainter["paint"]>[0],
  stage: Size,
  setStage: (stage: Size) => void,
): void {
  const painter = useRef<FilmPainter | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    painter.current = createFilmPainter(element);
    const observer = new ResizeObserver(
      ([entry]) => entry && setStage({ widthPx: entry.contentRect.width, heightPx: entry.contentRect.height }),
    );
    observer.observe(element.parentElement ?? element);
    return () => {
      observer.disconnect();
      painter.current?.dispose();
    };
  }, [canvas, setStage]);
  useEffect(() => painter.current?.setFilm(pixels), [pixels]);
  useEffect(() => {
    const ratio = window.devicePixelRatio;
    const element = canvas.current;
    if (!element || stage.widthPx === 0) return;
    Object.assign(element, { width: Math.round(stage.widthPx * ratio), height: Math.round(stage.heightPx * ratio) });
    painter.current?.paint(frameAt(ratio));
  });
}
