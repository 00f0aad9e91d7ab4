import type { ChartPoint } from "./chart-point.ts";
import type { ChartPointer } from "./use-chart-pointer.ts";

/** The focused point, as a button if it can be opened, with its name in a tooltip. */
export function ChartCursor({
  points,
  places,
  widthPx,
  pointer,
  hintId,
}: {
  readonly points: readonly ChartPoint[];
  readonly places: readonly { readonly x: number; readonly y: number }[];
  readonly widthPx: number;
  readonly pointer: ChartPointer;
  readonly hintId: string;
}) {
  const place = places[pointer.at];
  const point = points[pointer.at];
  const tipAt = pointer.shown === null ? undefined : places[pointer.shown];
  const tip = pointer.shown === null ? undefined : points[pointer.shown];
  if (!place || !point) return null;
  const shared = {
    className: "chart-cursor",
    style: { left: place.x, top: place.y },
    "aria-label": point.name,
    "aria-describedby": hintId,
    onKeyDown: pointer.onKey,
    onFocus: pointer.onFocus,
    onPointerEnter: pointer.onFocus,
    onPointerLeave: pointer.onLeave,
    onBlur: pointer.onLeave,
  };
  return (
    <>
      {point.onOpen ? (
        <button {...shared} type="button" onClick={point.onOpen} />
      ) : (
        <span {...shared} role="img" tabIndex={0} />
      )}
      <span className="visually-hidden" aria-live="polite">
        {pointer.shown === pointer.at ? point.name : ""}
      </span>
      {tip && tipAt && (
        <div
          className={`chart-tip ${sideOf(tipAt.x / widthPx)} ${tipAt.y < 60 ? "below" : ""}`}
          style={{ left: tipAt.x, top: tipAt.y }}
          aria-hidden="true"
        >
          {tip.name}
        </div>
      )}
    </>
  );
}

function sideOf(share: number): string {
  if (share < 0.3) return "start";
  return share > 0.7 ? "end" : "";
}
