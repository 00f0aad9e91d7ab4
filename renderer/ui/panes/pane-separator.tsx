import "./panes.css";
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { minSizePx, panes, usePaneSizes, type Pane } from "./pane-sizes.ts";

/** Steps of the arrow keys, without and with Shift [px]. */
const stepPx = 16;
const longStepPx = 64;

/** Edge of its pane on which a separator lies. */
type Edge = "start" | "end" | "below";

/** @param of  selector, within the separator's parent, of the element whose size is that of the pane */
export function PaneSeparator({
  pane,
  edge,
  label,
  of,
}: {
  readonly pane: Pane;
  readonly edge: Edge;
  readonly label: string;
  readonly of?: string;
}) {
  const separator = useRef<HTMLDivElement>(null);
  const sizePx = useSizeBeside(separator, edge, of);
  const setSize = usePaneSizes((state) => state.setSize);
  const drag = useRef<{ readonly from: number; readonly sizePx: number } | null>(null);
  const minPx = minSizePx(pane);
  const { mostPx } = panes[pane];
  const [more, less] = edge === "below" ? ["ArrowDown", "ArrowUp"] : ["ArrowRight", "ArrowLeft"];
  const larger = edge === "start" ? -1 : 1;
  const placeOf = (event: PointerEvent) => (edge === "below" ? event.clientY : event.clientX);
  const press = (event: KeyboardEvent) => {
    const step = (event.shiftKey ? longStepPx : stepPx) * larger;
    if (event.key === more) setSize(pane, sizeBeside(separator.current, edge, of) + step);
    else if (event.key === less) setSize(pane, sizeBeside(separator.current, edge, of) - step);
    else if (event.key === "Home") setSize(pane, minPx);
    else if (event.key === "End") setSize(pane, mostPx);
    else if (event.key === "Enter") setSize(pane, undefined);
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
      aria-orientation={edge === "below" ? "horizontal" : "vertical"}
      aria-label={label}
      aria-valuemin={minPx}
      aria-valuemax={mostPx}
      aria-valuenow={Math.round(sizePx)}
      onKeyDown={press}
      onDoubleClick={() => setSize(pane, undefined)}
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: placeOf(event), sizePx: sizeBeside(event.currentTarget, edge, of) };
      }}
      onPointerMove={(event) => {
        if (drag.current) setSize(pane, drag.current.sizePx + (placeOf(event) - drag.current.from) * larger);
      }}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}

function measuredBeside(separator: HTMLElement | null, of: string | undefined): Element | null {
  const parent = separator?.parentElement ?? null;
  return of === undefined ? parent : (parent?.querySelector(of) ?? null);
}

/** Measured size, since React state lags behind repeating keys. */
function sizeBeside(separator: HTMLElement | null, edge: Edge, of: string | undefined): number {
  const box = measuredBeside(separator, of)?.getBoundingClientRect();
  return (edge === "below" ? box?.height : box?.width) ?? 0;
}

function useSizeBeside(separator: React.RefObject<HTMLElement | null>, edge: Edge, of: string | undefined): number {
  const [sizePx, setSizePx] = useState(0);
  useEffect(() => {
    const measured = measuredBeside(separator.current, of);
    if (!measured) return undefined;
    const observer = new ResizeObserver(() => setSizePx(sizeBeside(separator.current, edge, of)));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [separator, edge, of]);
  return sizePx;
}
