import { useMemo, useRef, useState } from "react";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import type { Film, Reading } from "../../core/contract/desktop/films.ts";
import { draftOf, scoreOfDraft } from "../film/draft.ts";
import { AnnotationLayer } from "../film/annotations/annotation-layer.tsx";
import { ScaleBar } from "../film/annotations/scale-bar.tsx";
import { useFilmScale } from "../film/annotations/use-film-scale.ts";
import { ownWindow } from "../film/painter/film-pixels.ts";
import { marksOf } from "../film/marks.ts";
import { ReadingMarks } from "../film/overlay.tsx";
import { filmToDevice, fitted, frameToStage, panned, type Size, type View } from "../film/view.ts";
import { draggedWindow, wholeRange, windowWithin, type GreyWindow } from "../film/window-level.ts";
import { useAnnotations } from "../state/drawing/annotations.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { zoomedTogether } from "./linked-view.ts";
import { usePainted, usePixels } from "./use-compared-canvas.ts";

/** What all films share: how they are zoomed beyond fitting, moved, turned and mirrored, and the grey window. */
export type Linked = { readonly view: View; readonly window: GreyWindow };

type ComparedFilmProps = {
  readonly title: string;
  readonly film: Film;
  readonly reading: Reading | null;
  readonly linked: Linked;
  readonly isInverted: boolean;
  /** Whether marks and drawings lie over the film. */
  readonly hasOverlay: boolean;
  readonly onLink: (linked: Linked) => void;
};

/**
 * One film of a comparison with its marks and drawings; dragging changes the window of all, with Shift or the middle
 * button it moves all, the wheel zooms all.
 */
export function ComparedFilm({ title, film, reading, linked, isInverted, hasOverlay, onLink }: ComparedFilmProps) {
  const text = useText();
  const format = useFormat();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStage] = useState<Size>({ widthPx: 0, heightPx: 0 });
  const pixels = usePixels(film);
  const view = useMemo(() => {
    if (!pixels || stage.widthPx === 0) return linked.view;
    return { ...linked.view, zoom: fitted(linked.view, pixels, stage).zoom * linked.view.zoom };
  }, [pixels, stage, linked.view]);
  const scale = useFilmScale(film, pixels);
  const frame = useAnnotations((state) => state.films[film.id]?.stack.present?.frame) ?? pixels;
  usePainted(
    canvas,
    pixels,
    (ratio) => {
      return {
        matrix: filmToDevice(view, pixels, stage, ratio),
        window: windowWithin(pixels ? ownWindow(pixels) : wholeRange, linked.window),
        isInverted,
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
        onWheel={(event) => onLink({ ...linked, view: zoomedTogether(linked.view, Math.exp(-event.deltaY * 0.0016)) })}
        onPointerMove={(event) => {
          // A drawing that is dragged is not the film.
          if (event.target instanceof Element && event.target.closest(".annotations, .typing-field")) return;
          if (event.buttons === 4 || (event.buttons === 1 && event.shiftKey))
            onLink({
              ...linked,
              view: panned(linked.view, event.movementX, event.movementY),
            });
          else if (event.buttons === 1)
            onLink({
              ...linked,
              window: draggedWindow(linked.window, event.movementX / stage.widthPx, event.movementY / stage.heightPx),
            });
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {marks && hasOverlay && (
          <svg className="overlay" width={stage.widthPx} height={stage.heightPx}>
            <ReadingMarks {...marks} stage={stage} hasLabels />
          </svg>
        )}
        {pixels && (
          <AnnotationLayer
            film={film}
            picture={pixels}
            stage={stage}
            toStage={(size) => frameToStage(view, pixels, size, stage)}
            isShown={hasOverlay}
          />
        )}
        {pixels && frame && (
          <div className="compared-scale">
            <ScaleBar scale={scale} matrix={frameToStage(view, pixels, frame, stage)} />
          </div>
        )}
      </div>
    </figure>
  );
}
