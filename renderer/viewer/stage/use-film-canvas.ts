import { useEffect, useRef, type RefObject } from "react";
import { createFilmPainter } from "../../film/painter/create-film-painter.ts";
import { filmToDevice } from "../../film/view.ts";
import { useViewer } from "../viewer-slice.ts";

/** Repaints in animation frames, without React, so that a drag costs one draw call per frame. */
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
      painter.paint({ matrix: filmToDevice(view, pixels, stage, ratio), window: grey, isInverted, sharpen });
    };
    const request = () => {
      frame ||= requestAnimationFrame(paint);
    };
    const unsubscribe = useViewer.subscribe(request);
    const observer = new ResizeObserver(([entry]) => {
      if (entry)
        useViewer.getState().setStage({ widthPx: entry.contentRect.width, heightPx: entry.contentRect.height });
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
