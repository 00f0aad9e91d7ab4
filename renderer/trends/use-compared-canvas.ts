import { useEffect, useRef, useState, type RefObject } from "react";
import type { Film } from "../../core/contract/desktop/films.ts";
import { unloadedBy, type PixelLoading } from "../film/pixel-loading.ts";
import { createFilmPainter } from "../film/painter/create-film-painter.ts";
import type { FilmPainter } from "../film/painter/film-painter.ts";
import { loadFilmPixels, pixelsUrl, type FilmPixels } from "../film/painter/film-pixels.ts";
import type { Size } from "../film/view.ts";
import { useReloadAfterReconnect } from "../film/use-reload-after-reconnect.ts";

type Pixels = { readonly pixels: FilmPixels | null; readonly loading: PixelLoading };

const loadingPixels: Pixels = { pixels: null, loading: "loading" };

export function usePixels(film: Film): Pixels & { readonly retry: () => void } {
  const [round, setRound] = useState(0);
  const [ended, setEnded] = useState({ attempt: "", ...loadingPixels });
  const url = pixelsUrl(film);
  const attempt = `${round} ${url}`;
  const { pixels, loading } = ended.attempt === attempt ? ended : loadingPixels;
  useEffect(() => {
    if (!url) return;
    const request = new AbortController();
    const end = (state: Pixels) => setEnded({ attempt, ...state });
    loadFilmPixels(url, request.signal).then(
      (loaded) => !request.signal.aborted && end({ pixels: loaded, loading: "ready" }),
      (error: unknown) => !request.signal.aborted && end({ pixels: null, loading: unloadedBy(error) }),
    );
    return () => request.abort();
  }, [url, attempt]);
  const retry = () => setRound(round + 1);
  useReloadAfterReconnect(loading, retry);
  return { pixels, loading, retry };
}

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
