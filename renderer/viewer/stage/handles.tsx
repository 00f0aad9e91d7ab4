import { useEffect, useRef, type KeyboardEvent } from "react";
import { heartPointNames } from "../../../core/cardiac/measures/placed-heart.ts";
import { vertebraName } from "../../../core/cardiac/ruler/vertebra-name.ts";
import { useText } from "../../ui/language/language.ts";
import { isTyping } from "../../ui/keys/shortcut-keys.ts";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { arrowStep } from "../../film/arrow-step.ts";
import { outlineHandles, outlineIndex } from "../../film/draft/draft-outline.ts";
import { handlesOf, pointOf, type Handle } from "../../film/draft/draft.ts";
import type { Marks } from "../../film/marks.ts";
import type { Matrix, ScreenPoint } from "../../film/view.ts";

export function Handles({ marks, matrix }: { readonly marks: Marks; readonly matrix: Matrix }) {
  const text = useText();
  const selected = useCorrection((state) => state.selected);
  const select = useCorrection((state) => state.select);
  const nudge = useCorrection((state) => state.nudge);
  const present = useCorrection((state) => state.stack.present);
  const group = useFocusOn(selected, selected !== null && pointOf(present, selected) !== null);
  const step = (by: 1 | -1) => () => {
    const handles = handlesOf(present);
    const at = selected === null ? -1 : handles.indexOf(selected);
    select(handles.at(at === -1 ? (by > 0 ? 0 : -1) : (at + by) % handles.length) ?? null);
  };
  useCommands({ "correct.nextPoint": step(1), "correct.previousPoint": step(-1) });
  const move = (handle: Handle) => (event: KeyboardEvent) => {
    const step = arrowStep(event, matrix);
    if (!step) return;
    event.preventDefault();
    nudge(handle, step, event.repeat);
  };
  const handle = (id: Handle, at: ScreenPoint | null, name: string, isOutside = false) =>
    at && (
      <g
        key={id}
        className={isOutside ? "handle outside" : "handle"}
        role="button"
        tabIndex={0}
        aria-label={name}
        aria-pressed={selected === id}
        data-handle={id}
        onFocus={() => select(id)}
        onKeyDown={move(id)}
      >
        <title>{name}</title>
        <circle className="grip" cx={at.x} cy={at.y} r={13} />
        <circle
          className="ring"
          cx={at.x}
          cy={at.y}
          r={typeof id === "number" ? 5 : outlineIndex(id) === null ? 7 : 4}
        />
      </g>
    );
  const placed = outlineHandles(
    marks.outline,
    heartPointNames.flatMap((name) => marks.heart[name] ?? []),
  );
  // A point dragged onto an axis keeps its handle, and with it the focus.
  const held = outlineHandles(marks.outline, []).find((id) => id === selected && !placed.includes(id));
  const outlines = held ? [...placed, held] : placed;
  return (
    <g ref={group}>
      {marks.edges.map((edge, index) =>
        handle(
          index,
          edge,
          text(edge.isOutside ? "viewer.point_edge_outside" : "viewer.point_edge", {
            name: vertebraName(index),
          }),
          edge.isOutside,
        ),
      )}
      {outlines.map((id, number) =>
        handle(id, marks.outline[outlineIndex(id) ?? 0] ?? null, text("viewer.point_outline", { number: number + 1 })),
      )}
      {heartPointNames.map((name) => handle(name, marks.heart[name], text(`viewer.point_${name}`)))}
    </g>
  );
}

function useFocusOn(selected: Handle | null, isThere: boolean) {
  const group = useRef<SVGGElement>(null);
  useEffect(() => {
    const inUse = document.activeElement;
    if (selected === null || !isThere || inUse?.closest(".crosshair") || isTyping(inUse)) return;
    group.current?.querySelector<SVGGElement>(`[data-handle="${selected}"]`)?.focus({ preventScroll: true });
  }, [selected, isThere]);
  return group;
}
