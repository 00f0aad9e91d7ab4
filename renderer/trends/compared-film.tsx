import { useEffect, useMemo, useRef, useState } from "react";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import type { Film, Reading } from "../../core/contract/desktop/films.ts";
import { draftOf, scoreOfDraft } from "../film/draft.ts";
import { createFilmPainter } from "../film/painter/create-film-painter.ts";
import type { FilmPainter } from "../film/painter/film-painter.ts";
import { loadFilmPixels, ownWindow, pixelsUrl, type FilmPixels } from "../film/painter/film-pixels.ts";
import { marksOf } from "../film/marks.ts";
import { ReadingMarks } from "../film/overlay.tsx";
import { filmToDevice, fitted, frameToStage, type Size } from "../film/view.ts";
import { draggedWindow, wholeRange, windowWithin, type GreyWindow } from "../film/window-level.ts";
import { attempt } from "../state/faults.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";

const upright = { zoom: 1, panXPx: 0, panYPx: 0, quarterTurns: 0, isFlipped: false } as const;

/** What both films share: zoom beyond fitting, and the grey window. */
export type Linked = { readonly zoom: number; readonly window: GreyWindow };

type ComparedFilmProps = {
  readonly title: string;
  readonly film: Film;
  readonly reading: Reading | null;
  readonly linked: Linked;
  readonly onLink: (linked: Linked) => void;
};

/** One side of a comparison: the film with its marks; dragging changes the window of both, the wheel zooms both. */
export function ComparedFilm({ title, film, reading, linked, onLink }: ComparedFilmProps) {
  const text = useText();
  const format = useFormat();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStage] = useState<Size>({ widthPx: 0, heightPx: 0 });
  const pixels = usePixels(film);
  const view = useMemo(() => {
    const fit = pixels && stage.widthPx > 0 ? fitted(upright, pixels, stage) : upright;
    return { ...fit, zoom: fit.zoom * linked.zoom };
  }, [pixels, stage, linked.zoom]);
  usePainted(
    canvas,
    pixels,
    (ratio) => {
      return {
        matrix: filmToDevice(view, pixels, stage, ratio),
        window: windowWithin(pixels ? ownWindow(pixels) : wholeRange, linked.window),
        isInverted: false,
        sharpen: 0,
      };
    },
    stage,
    setStage,
  );
  const marks = useMemo(() => {
    if (!pixels || !reading?.heart) return null;
    const draft = draftOf(reading);
    const scored = scoreOfDraft(draft);
    return {
      marks: marksOf(
        draft,
        scored?.ruler.edges ?? draft.edges,
        reading.frame,
        frameToStage(view, pixels, reading.frame, stage),
      ),
      score: scored?.score ?? null,
    };
  }, [pixels, reading, view, stage]);
  return (
    <figure className="compared-film">
      <figcaption>
        <strong>{title}</strong> <span className="quiet">{format.day(film.takenAt)}</span>
        {reading?.verdict && (
          <span className="quiet">
            {" · "}
            {text(`result.verdict_${reading.verdict}`)}
            {reading.who && ` (${reading.who})`}
          </span>
        )}
        <span className="data">
          {" "}
          {shownMeasures(reading?.score ?? {})
            .map(({ name, label }) => `${label} ${format.score(reading?.score?.[name])}`)
            .join(" · ")}{" "}
          {text("result.unit")}
        </span>
      </figcaption>
      <div
        className="compared-stage"
        onWheel={(event) =>
          onLink({ ...linked, zoom: Math.min(12, Math.max(0.5, linked.zoom * Math.exp(-event.deltaY * 0.0016))) })
        }
        onPointerMove={(event) => {
          if (event.buttons !== 1) return;
          onLink({
            ...linked,
            window: draggedWindow(linked.window, event.movementX / stage.widthPx, event.movementY / stage.heightPx),
          });
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {marks && (
          <svg className="overlay" width={stage.widthPx} height={stage.heightPx}>
            <ReadingMarks {...marks} stage={stage} hasLabels />
          </svg>
        )}
      </div>
    </figure>
  );
}

function usePixels(film: Film): FilmPixels | null {
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

function usePainted(
  canvas: React.RefObject<HTMLCanvasElement | null>,
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
