import { useEffect, useRef, type RefObject } from "react";
import { createFilmPainter } from "../film/film-painter.ts";
import { filmToStage, type Matrix } from "../film/view.ts";
import { useViewer } from "./viewer-slice.ts";

/**
 * Keeps a canvas showing the film of the viewer. Painting hangs on the store and on animation frames, not on React,
 * so that dragging window or film costs one draw call a frame.
 */
export function useFilmCanvas(): RefObject<HTMLCanvasElement | null> {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const painter = createFilmPainter(canvas);
    canvas.dataset["painter"] = painter.kind;
    let frame = 0;
    let shown = useViewer.getState().pixels;
    painter.setFilm(shown);
    const paint = () => {
      frame = 0;
      const { pixels, view, stage, window: grey, isInverted, sharpen } = useViewer.getState();
      if (pixels !== shown) painter.setFilm((shown = pixels));
      const ratio = window.devicePixelRatio;
      const width = Math.round(stage.widthPx * ratio);
      const height = Math.round(stage.heightPx * ratio);
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const { a, b, c, d, e, f } = pixels ? filmToStage(view, pixels, stage) : { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
      const matrix = onWholePixels({ a: a * ratio, b: b * ratio, c: c * ratio, d: d * ratio, e: e * ratio, f: f * ratio });
      painter.paint({ matrix, window: grey, isInverted, sharpen });
    };
    const request = () => {
      frame ||= requestAnimationFrame(paint);
    };
    const unsubscribe = useViewer.subscribe(request);
    const observer = new ResizeObserver(([entry]) => {
      if (entry) useViewer.getState().setStage({ widthPx: entry.contentRect.width, heightPx: entry.contentRect.height });
    });
    observer.observe(canvas.parentElement ?? canvas);
    request();
    return () => {
      unsubscribe();
      observer.disconnect();
      cancelAnimationFrame(frame);
      painter.dispose();
    };
  }, []);
  return ref;
}

/** A film shown in whole device pixels per film pixel begins on a whole one: half a pixel aside would blur all of it. */
function onWholePixels(matrix: Matrix): Matrix {
  const scale = Math.abs(matrix.a) + Math.abs(matrix.b);
  const isWhole = scale > 0.5 && Math.abs(scale - Math.round(scale)) < 1e-6;
  return isWhole ? { ...matrix, e: Math.round(matrix.e), f: Math.round(matrix.f) } : matrix;
}
