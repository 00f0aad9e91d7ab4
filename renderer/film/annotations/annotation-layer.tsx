import "./annotations.css";
import { useEffect, useRef } from "react";
import { annotationColour } from "../../../core/annotations/annotation-style.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { drawnOn } from "../../state/drawing/drawn-on.ts";
import { attempt } from "../../state/faults.ts";
import { inverted, mapped, type Matrix, type ScreenPoint, type Size } from "../view.ts";
import { AnnotationHandles } from "./annotation-handles.tsx";
import { AnnotationMark } from "./annotation-mark.tsx";
import { DrawingSurface } from "./drawing-surface.tsx";
import { TypingField } from "./typing-field.tsx";
import { useFilmScale } from "./use-film-scale.ts";
import { useShownDrawings } from "./use-shown-drawings.ts";

type LayerProps = {
  readonly film: Film;
  /** Size of the picture shown [px]. */
  readonly picture: Size;
  readonly stage: Size;
  readonly toStage: (frame: Size) => Matrix;
  readonly isLocked?: boolean;
  readonly isShown?: boolean;
};

export function AnnotationLayer({ film, picture, stage, toStage, isLocked = false, isShown = true }: LayerProps) {
  const layer = useRef<SVGSVGElement>(null);
  const set = useShownDrawings(film);
  const { personId, tool, typing, selected, select } = useAnnotations();
  const scale = useFilmScale(film, picture);
  useEffect(() => attempt(() => useAnnotations.getState().load(film.id)), [film.id, personId]);
  // Keys do not act on hidden annotations.
  const isUnseen = (!isShown || set === null) && selected?.filmId === film.id;
  useEffect(() => {
    if (isUnseen) select(null);
  }, [isUnseen, select]);
  const on = drawnOn(set, film, picture);
  const matrix = toStage(on);
  const back = inverted(matrix);
  const placeOf = (event: { clientX: number; clientY: number }): ScreenPoint => {
    const box = layer.current?.getBoundingClientRect();
    return mapped(back, { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) });
  };
  const shown = isShown ? (set?.annotations ?? []) : [];
  const colour = { "--mark": annotationColour } as React.CSSProperties;
  return (
    <>
      <svg
        ref={layer}
        className="annotations"
        width={stage.widthPx}
        height={stage.heightPx}
        style={colour}
        data-testid="annotations"
      >
        {shown.map((annotation) =>
          isLocked || tool ? (
            <AnnotationMark key={annotation.id} {...{ annotation, matrix, scale, stage }} />
          ) : (
            <AnnotationHandles
              key={annotation.id}
              {...{ annotation, matrix, scale, stage, placeOf, frame: on }}
              filmId={film.id}
            />
          ),
        )}
        {tool && !isLocked && <DrawingSurface {...{ tool, on, matrix, scale, stage, placeOf }} filmId={film.id} />}
      </svg>
      {typing && (typing.kind === "text" ? typing.filmId : typing.drawing.filmId) === film.id && (
        <TypingField {...{ typing, matrix, stage }} />
      )}
    </>
  );
}
