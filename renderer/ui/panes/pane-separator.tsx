import "./panes.css";
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { panes, usePaneWidths, type Pane } from "./pane-widths.ts";

/** Steps of the arrow keys, alone and with Shift [px]. */
const stepPx = 16;
const longStepPx = 64;

/**
 * The edge of a pane, which stands inside it and can be moved: with the pointer, or with the arrow keys, Home and End.
 * A double click or Enter makes the pane as wide as usual.
 *
 * @param edge  which edge of the pane it is
 */
export function PaneSeparator({
  pane,
  edge,
  label,
}: {
  readonly pane: Pane;
  readonly edge: "start" | "end";
  readonly label: string;
}) {
  const separator = useRef<HTMLDivElement>(null);
  const widthPx = useWidthOfParent(separator);
  const setWidth = usePaneWidths((state) => state.setWidth);
  const drag = useRef<{ readonly fromX: number; readonly widthPx: number } | null>(null);
  const { leastPx, mostPx } = panes[pane];
  const wider = edge === "end" ? 1 : -1;
  const press = (event: KeyboardEvent) => {
    const step = (event.shiftKey ? longStepPx : stepPx) * wider;
    if (event.key === "ArrowRight") setWidth(pane, widthOfParent(separator.current) + step);
    else if (event.key === "ArrowLeft") setWidth(pane, widthOfParent(separator.current) - step);
    else if (event.key === "Home") setWidth(pane, leastPx);
    else if (event.key === "End") setWidth(pane, mostPx);
    else if (event.key === "Enter") setWidth(pane, undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const end = () => {
    drag.current = null;
  };
  return (
    <div
      ref={separator}
      className={`pane-separator at-${edge} no-print`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={leastPx}
      aria-valuemax={mostPx}
      aria-valuenow={Math.round(widthPx)}
      onKeyDown={press}
      onDoubleClick={() => setWidth(pane, undefined)}
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { fromX: event.clientX, widthPx: widthOfParent(event.currentTarget) };
      }}
      onPointerMove={(event) => {
        if (drag.current) setWidth(pane, drag.current.widthPx + (event.clientX - drag.current.fromX) * wider);
      }}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}

/** As it is now: what is shown follows a little later, and keys may come faster. */
function widthOfParent(child: HTMLElement | null): number {
  return child?.parentElement?.getBoundingClientRect().width ?? 0;
}

function useWidthOfParent(child: React.RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    const parent = child.current?.parentElement;
    if (!parent) return undefined;
    const observer = new ResizeObserver(() => setWidthPx(widthOfParent(child.current)));
    observer.observe(parent);
    return () => observer.disconnect();
  }, [child]);
  return widthPx;
}
