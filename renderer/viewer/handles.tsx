import type { KeyboardEvent } from "react";
import { heartLandmarkNames } from "../../core/cardiac/landmarks.ts";
import { vertebraName } from "../../core/cardiac/vertebra-name.ts";
import { useText } from "../ui/language.ts";
import { viewerMessages } from "../ui/messages/viewer.ts";
import { useCorrection } from "./correction-slice.ts";
import type { Handle } from "../film/draft.ts";
import type { Marks } from "../film/marks.ts";
import { inverted, mapped, type Matrix, type ScreenPoint } from "../film/view.ts";

const steps: Readonly<Record<string, ScreenPoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A step on the screen as a step of the same direction in the film, 1 px long whatever the turn and the zoom. */
function stepInFilm(matrix: Matrix, step: ScreenPoint, lengthPx: number): ScreenPoint {
  const back = inverted({ ...matrix, e: 0, f: 0 });
  const { x, y } = mapped(back, step);
  const length = Math.hypot(x, y);
  return { x: (x / length) * lengthPx, y: (y / length) * lengthPx };
}

/** The points of a correction that can be taken with the mouse, or with Tab and the arrow keys. */
export function Handles({ marks, matrix }: { readonly marks: Marks; readonly matrix: Matrix }) {
  const text = useText();
  const selected = useCorrection((state) => state.selected);
  const select = useCorrection((state) => state.select);
  const nudge = useCorrection((state) => state.nudge);
  const move = (handle: Handle) => (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    nudge(handle, stepInFilm(matrix, step, event.shiftKey ? 10 : 1));
  };
  const handle = (id: Handle, at: ScreenPoint | null, name: string) =>
    at && (
      <g key={id} className="handle" role="button" tabIndex={0} aria-label={name} aria-pressed={selected === id} data-handle={id}
        onFocus={() => select(id)} onKeyDown={move(id)}>
        <title>{name}</title>
        <circle className="grip" cx={at.x} cy={at.y} r={13} />
        <circle className="ring" cx={at.x} cy={at.y} r={typeof id === "number" ? 5 : 7} />
      </g>
    );
  return (
    <g>
      {marks.edges.map((edge, index) => handle(index, edge, text(viewerMessages.point_edge, { name: vertebraName(index) })))}
      {heartLandmarkNames.map((name) => handle(name, marks.heart[name], text(viewerMessages[`point_${name}`])))}
    </g>
  );
}
