import { useCallback, useEffect, useRef, type KeyboardEvent, type PointerEvent } from "react";
import { toolOf } from "../../../core/annotations/annotation-tools.ts";
import { annotationLabel } from "../../../core/annotations/annotation-value.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { isTyping } from "../../ui/keys/shortcut-keys.ts";
import { arrowStep } from "../arrow-step.ts";
import { mapped, pathOf, type Size } from "../view.ts";
import { AnnotationMark, type MarkProps } from "./annotation-mark.tsx";
import { movedPoints } from "./moved-points.ts";

type HandlesProps = MarkProps & {
  readonly filmId: string;
  readonly frame: Size;
  readonly placeOf: (event: { clientX: number; clientY: number }) => Point;
};

export function AnnotationHandles({ filmId, frame, placeOf, ...mark }: HandlesProps) {
  const { annotation, matrix, scale } = mark;
  const text = useText();
  const format = useFormat();
  const group = useRef<SVGGElement>(null);
  const chosen = useAnnotations((state) => state.selected);
  const isTypingNow = useAnnotations((state) => state.typing !== null);
  const { select, nudge, remove, type } = useAnnotations.getState();
  const isSelected = chosen?.id === annotation.id;
  const point = isSelected ? chosen.point : null;
  useFocus(group, isSelected && !isTypingNow, point);
  const drag = useDrag(filmId, annotation.id, (from, to, index) =>
    movedPoints(annotation.points, index, { x: to.x - from.x, y: to.y - from.y }, frame),
  );
  const { hasText } = toolOf(annotation.tool);
  const press = (index: number | null) => (event: KeyboardEvent) => {
    const step = arrowStep(event, matrix);
    if (step) nudge(filmId, annotation.id, movedPoints(annotation.points, index, step, frame), event.repeat);
    else if (event.key === "Delete" || event.key === "Backspace") remove(filmId, annotation.id);
    else if (event.key === "Enter" && hasText) type({ kind: "text", filmId, id: annotation.id });
    else if (event.key === "Escape") select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const name = text("annotations.named", {
    tool: text(`annotations.tool_${annotation.tool}`),
    label: annotationLabel(annotation, scale, format.number),
  });
  const startDrag = (index: number | null) => (event: PointerEvent<SVGElement>) => {
    if (event.button !== 0 || event.shiftKey) return;
    event.stopPropagation();
    select({ filmId, id: annotation.id, point: index });
    drag.start(event, placeOf(event), index);
  };
  const moving = {
    onPointerMove: (event: PointerEvent) => drag.move(placeOf(event)),
    onPointerUp: drag.end,
    onPointerCancel: drag.end,
  };
  const outline = toolOf(annotation.tool).outline(annotation.points);
  const places = annotation.points.map((each) => mapped(matrix, each));
  return (
    <g ref={group} className={isSelected ? "annotation-group selected" : "annotation-group"}>
      <g
        role="button"
        tabIndex={0}
        aria-label={name}
        aria-pressed={isSelected}
        data-annotation={annotation.id}
        data-testid={`annotation-${annotation.tool}`}
        className="annotation-body"
        onFocus={() => !isSelected && select({ filmId, id: annotation.id, point: null })}
        onKeyDown={press(null)}
        onPointerDown={startDrag(null)}
        onDoubleClick={(event) => {
          event.stopPropagation();
          if (hasText) type({ kind: "text", filmId, id: annotation.id });
        }}
        {...moving}
      >
        <title>{name}</title>
        <polyline className="hit" points={pathOf(outline.map((each) => mapped(matrix, each)))} />
        <AnnotationMark {...mark} />
      </g>
      {isSelected &&
        places.map(({ x, y }, index) => (
          <g
            key={index}
            role="button"
            tabIndex={0}
            aria-label={`${name}, ${index + 1}/${places.length}`}
            aria-pressed={point === index}
            data-point={index}
            className="handle"
            onFocus={() => point !== index && select({ filmId, id: annotation.id, point: index })}
            onKeyDown={press(index)}
            onPointerDown={startDrag(index)}
            {...moving}
          >
            <circle className="grip" cx={x} cy={y} r={12} />
            <circle className="ring" cx={x} cy={y} r={5} />
          </g>
        ))}
    </g>
  );
}

function useFocus(group: React.RefObject<SVGGElement | null>, isSelected: boolean, point: number | null): void {
  useEffect(() => {
    const inUse = document.activeElement;
    if (!isSelected || inUse?.closest(".crosshair") || isTyping(inUse)) return;
    const wanted = point === null ? "[data-annotation]" : `[data-point="${point}"]`;
    group.current?.querySelector<SVGGElement>(wanted)?.focus({ preventScroll: true });
  }, [group, isSelected, point]);
}

/** A drag that starts when the pointer moves, so that a click changes nothing. */
function useDrag(
  filmId: string,
  id: string,
  pointsOf: (from: Point, to: Point, index: number | null) => readonly Point[],
) {
  const drag = useRef<{ readonly from: Point; readonly index: number | null } | null>(null);
  const first = useRef(pointsOf);
  const { startMove, moveTo, endMove } = useAnnotations.getState();
  const end = useCallback(() => {
    if (drag.current) endMove(filmId);
    drag.current = null;
  }, [filmId, endMove]);
  // Choosing a tool or starting a correction unmounts the handles during a drag: its last position is saved.
  useEffect(() => end, [end]);
  return {
    start: (event: PointerEvent<SVGElement>, from: Point, index: number | null) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      first.current = pointsOf;
      drag.current = { from, index };
      startMove(filmId);
    },
    move: (to: Point) => {
      const { current } = drag;
      if (current) moveTo(filmId, id, first.current(current.from, to, current.index));
    },
    end,
  };
}
