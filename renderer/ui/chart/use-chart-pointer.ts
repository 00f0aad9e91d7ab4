import { useCallback, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from "react";
import { nearestPoint, stepTo, type ChartPoint } from "./chart-point.ts";

const usualWidthPx = 560;
const reachPx = 24;

export type ChartPointer = {
  /** Index of the point whose tooltip is shown; null for none. */
  readonly shown: number | null;
  /** Index of the point in the Tab order. */
  readonly at: number;
  readonly onMove: (event: PointerEvent<SVGSVGElement>) => void;
  readonly onLeave: () => void;
  readonly onClick: (event: MouseEvent<SVGSVGElement>) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
};

export function useChartPointer(
  points: readonly ChartPoint[],
  places: readonly { readonly x: number; readonly y: number }[],
): ChartPointer {
  const [shown, show] = useState<number | null>(null);
  const [kept, keep] = useState(0);
  const at = Math.min(kept, Math.max(0, points.length - 1));
  const nearest = (event: MouseEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return nearestPoint(places, { x: event.clientX - box.left, y: event.clientY - box.top }, reachPx);
  };
  return {
    shown: shown !== null && shown < points.length ? shown : null,
    at,
    onMove: (event) => show(nearest(event)),
    onLeave: () => show(null),
    onClick: (event) => {
      const found = nearest(event);
      if (found !== null) points[found]?.onOpen?.();
    },
    onKey: (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Escape") show(null);
      const next = stepTo(event.key, at, points.length);
      if (next === null) return;
      event.preventDefault();
      event.stopPropagation();
      keep(next);
      show(next);
    },
    onFocus: () => show(at),
  };
}

/** Layout width of a chart [CSS px], so that its text has the same size at any window width. */
export function useWidth(): readonly [(area: HTMLDivElement) => () => void, number] {
  const [widthPx, setWidthPx] = useState(usualWidthPx);
  const observe = useCallback((area: HTMLDivElement) => {
    const observer = new ResizeObserver(
      ([entry]) => entry && entry.contentRect.width > 0 && setWidthPx(Math.round(entry.contentRect.width)),
    );
    observer.observe(area);
    return () => observer.disconnect();
  }, []);
  return [observe, widthPx];
}
