import { useRef, useState, type PointerEvent } from "react";
import { hasPointsFor } from "../../../core/annotations/annotation-tools.ts";
import type { FilmScale } from "../../../core/annotations/film-scale.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { useAnnotations, type DrawingTool } from "../../state/drawing/annotations.ts";
import type { DrawnOn } from "../../state/drawing/drawn-on.ts";
import { clickPx, mapped, type Matrix, type ScreenPoint, type Size } from "../view.ts";
import { AnnotationMark, MarkLine } from "./annotation-mark.tsx";
import { insideFrame } from "./moved-points.ts";

type SurfaceProps = {
  readonly filmId: string;
  readonly tool: DrawingTool;
  readonly on: DrawnOn;
  readonly matrix: Matrix;
  readonly scale: FilmScale | null;
  readonly stage: Size;
  readonly placeOf: (event: { clientX: number; clientY: number }) => Point;
};

/** Receives the pointer while a tool is active: a click places one point, a drag the first and the second one. */
export function DrawingSurface({ filmId, tool, on, matrix, scale, stage, placeOf }: SurfaceProps) {
  const drawing = useAnnotations((state) => (state.drawing?.filmId === filmId ? state.drawing : null));
  const { place, finish } = useAnnotations.getState();
  const [pointer, setPointer] = useState<Point | null>(null);
  const pressed = useRef<ScreenPoint | null>(null);
  const at = (event: PointerEvent) => insideFrame(placeOf(event), on);
  const placed = drawing?.points ?? [];
  return (
    <g
      className="drawing"
      tabIndex={-1}
      data-testid="drawing"
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        finish();
        event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.shiftKey) return;
        event.stopPropagation();
        event.preventDefault();
        event.currentTarget.focus({ preventScroll: true });
        event.currentTarget.setPointerCapture(event.pointerId);
        pressed.current = { x: event.clientX, y: event.clientY };
        place(filmId, on, at(event));
      }}
      onPointerMove={(event) => setPointer(at(event))}
      onPointerUp={(event) => {
        const from = pressed.current;
        pressed.current = null;
        if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) >= clickPx) place(filmId, on, at(event));
      }}
      onPointerLeave={() => setPointer(null)}
      onDoubleClick={(event) => {
        event.stopPropagation();
        finish();
      }}
    >
      <rect className="surface" width={stage.widthPx} height={stage.heightPx} />
      <Preview
        points={pointer && placed.length > 0 ? [...placed, pointer] : placed}
        {...{ tool, matrix, scale, stage }}
      />
      {placed.map((point, index) => {
        const { x, y } = mapped(matrix, point);
        return <circle key={index} className="placed-point" cx={x} cy={y} r={3.5} />;
      })}
    </g>
  );
}

function Preview({
  points,
  tool,
  ...view
}: { readonly points: readonly Point[] } & Pick<SurfaceProps, "tool" | "matrix" | "scale" | "stage">) {
  if (points.length < 2) return null;
  if (tool !== "calibrate" && hasPointsFor(tool, points.length))
    return <AnnotationMark annotation={{ id: "preview", tool, points, text: "" }} {...view} />;
  return (
    <g className="mark annotation">
      <MarkLine line={points.map((point) => mapped(view.matrix, point))} />
    </g>
  );
}
