import { useMemo, useRef, useState, type PointerEvent } from "react";
import { reportedScore } from "../../core/cardiac/agreement/reported-readings.ts";
import { drawnInterval, scoreErrorsOf } from "../../core/cardiac/agreement/score-errors.ts";
import type { HeartScore } from "../../core/cardiac/heart-score.ts";
import type { MeasureName } from "../../core/cardiac/measures/measures.ts";
import { shownMeasures } from "../../core/cardiac/measures/read-measures.ts";
import type { Film } from "../../core/contract/desktop/films.ts";
import type { Reading } from "../../core/contract/desktop/readings.ts";
import { draftOf, scoreOfDraft } from "../film/draft/draft.ts";
import { AnnotationLayer } from "../film/annotations/annotation-layer.tsx";
import { ScaleBar } from "../film/annotations/scale-bar.tsx";
import { useFilmScale } from "../film/annotations/use-film-scale.ts";
import { FilmCover } from "../film/film-cover.tsx";
import { marksOf } from "../film/marks.ts";
import { Loupe } from "../film/magnifier/loupe.tsx";
import { useMagnifier } from "../film/magnifier/magnifier-switch.ts";
import { ReadingMarks } from "../film/overlay.tsx";
import { sharpenStrength } from "../film/painter/film-painter.ts";
import { filmToDevice, fitted, frameToStage, panned, type ScreenPoint, type Size, type View } from "../film/view.ts";
import { windowAfterDrag, wholeRange, windowWithin } from "../film/window/window-level.ts";
import { windowOf } from "../film/window/window-presets.ts";
import type { FilmPixels } from "../film/painter/film-pixels.ts";
import { useShownDrawings } from "../film/annotations/use-shown-drawings.ts";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { pinchAll, type LinkChange, type Linked } from "./linked-view.ts";
import { usePainted, usePixels } from "./use-compared-canvas.ts";
import { usePinch } from "./use-pinch.ts";

type Compared = {
  readonly title: string;
  readonly film: Film;
  readonly reading: Reading | null;
  readonly score: HeartScore | null;
};
type ComparedFilmProps = Compared & {
  readonly linked: Linked;
  readonly hasOverlay: boolean;
  readonly onLink: (change: LinkChange) => void;
};

export function ComparedFilm(props: ComparedFilmProps) {
  const text = useText();
  const format = useFormat();
  const { title, film, reading, score } = props;
  const errors = reading && scoreErrorsOf(reading);
  const withInterval = (name: MeasureName) => {
    const value = score?.[name];
    const interval = typeof value === "number" ? drawnInterval(value, errors, name) : null;
    const range = interval ? ` (${format.score(interval.low)}–${format.score(interval.high)})` : "";
    return `${format.score(value)} ${text("result.unit")}${range}`;
  };
  return (
    <figure className="compared-film">
      <figcaption>
        <strong>{title}</strong>{" "}
        <span className="quiet">{[film.patient?.name, format.day(film.takenAt)].filter(Boolean).join(" · ")}</span>
        {reading?.verdict && (
          <span className="quiet">
            {" · "}
            {text(`result.verdict_${reading.verdict}`)}
            {reading.who && ` (${reading.who})`}
          </span>
        )}
        {shownMeasures(score ?? {}).map(({ name, label }) => (
          <span key={name} className="data">
            {label} {withInterval(name)}
          </span>
        ))}
      </figcaption>
      <ComparedStage {...props} />
    </figure>
  );
}

/** Dragging changes the window of all films, or pans all with Shift or the middle button. */
function ComparedStage({ film, reading, linked, hasOverlay, onLink }: ComparedFilmProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStage] = useState<Size>({ widthPx: 0, heightPx: 0 });
  const { pixels, loading, retry } = usePixels(film);
  const view = useMemo(() => viewOn(linked.view, pixels, stage), [pixels, stage, linked.view]);
  const scale = useFilmScale(film, pixels);
  const frame = useShownDrawings(film)?.frame ?? pixels;
  const { isInverted, isSharpened } = linked;
  const window = useMemo(
    () => windowWithin(pixels ? windowOf(linked.preset, pixels) : wholeRange, linked.window),
    [pixels, linked.preset, linked.window],
  );
  const sharpen = isSharpened ? sharpenStrength : 0;
  const frameAt = (ratio: number) => ({
    matrix: filmToDevice(view, pixels, stage, ratio),
    ...{ window, isInverted, sharpen },
  });
  usePainted(canvas, pixels, frameAt, stage, setStage);
  const marks = useMemo(() => pixels && marksOfReading(reading, view, pixels, stage), [pixels, reading, view, stage]);
  const { pointed, point } = useMagnifiedPoint();
  const fingers = usePinch((pinch) => onLink(({ view }) => ({ view: pinchAll(view, pinch, stage) })));
  return (
    <div
      className="compared-stage"
      onWheel={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const middle = { x: event.clientX - box.left, y: event.clientY - box.top };
        const factor = Math.exp(-event.deltaY * 0.0016);
        onLink(({ view }) => ({ view: pinchAll(view, { byXPx: 0, byYPx: 0, factor, middle }, stage) }));
      }}
      onPointerLeave={() => point(null)}
      {...fingers.handlers}
      onPointerMove={(event) => {
        if (fingers.takes(event)) return;
        point(event);
        if (event.buttons !== 0 && !isOnDrawing(event)) onLink((before) => dragged(before, event, stage));
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
      {pixels && pointed && <Loupe at={pointed} {...{ pixels, view, stage, window, isInverted }} />}
      {pixels && frame && (
        <div className="compared-scale">
          <ScaleBar scale={scale} matrix={frameToStage(view, pixels, frame, stage)} isBrief />
        </div>
      )}
      <FilmCover {...{ film, loading }} onRetry={retry} />
    </div>
  );
}

/** Applies the shared view to one film: the zoom is relative to the film's fit in its pane. */
function viewOn(view: View, pixels: FilmPixels | null, stage: Size): View {
  return pixels && stage.widthPx > 0 ? { ...view, zoom: fitted(view, pixels, stage).zoom * view.zoom } : view;
}

function marksOfReading(reading: Reading | null, view: View, pixels: FilmPixels, stage: Size) {
  if (!reading?.heart) return null;
  const draft = draftOf(reading);
  const scored = scoreOfDraft(draft);
  const { frame } = reading;
  const toStage = frameToStage(view, pixels, frame, stage);
  const score = reportedScore(reading, scored?.score ?? null);
  return { marks: marksOf(draft, scored?.ruler.edges ?? draft.edges, frame, toStage), score };
}

/** A drag on an annotation does not affect the film. */
function isOnDrawing({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest(".annotations, .typing-field") !== null;
}

function dragged({ view, window }: Linked, event: PointerEvent, stage: Size): Partial<Linked> {
  const { buttons, shiftKey, movementX, movementY } = event;
  if (buttons === 4 || (buttons === 1 && shiftKey)) return { view: panned(view, movementX, movementY) };
  if (buttons === 1) return { window: windowAfterDrag(window, movementX / stage.widthPx, movementY / stage.heightPx) };
  return {};
}

/** Point of the stage to magnify; null while the pointer is outside or drags the films. */
function useMagnifiedPoint() {
  const isOn = useMagnifier((state) => state.isOn);
  const [pointed, setPointed] = useState<ScreenPoint | null>(null);
  const point = (event: PointerEvent | null) => {
    if (!event || !isOn || (event.buttons !== 0 && !isOnDrawing(event))) return setPointed(null);
    const box = event.currentTarget.getBoundingClientRect();
    setPointed({ x: event.clientX - box.left, y: event.clientY - box.top });
  };
  return { pointed: isOn ? pointed : null, point };
}
