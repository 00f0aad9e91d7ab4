import { useEffect, useRef, type KeyboardEvent } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { arrowStep } from "../../film/arrow-step.ts";
import {
  filmToStage,
  frameToStage,
  inverted,
  mapped,
  type ScreenPoint,
  type Size,
  type View,
} from "../../film/view.ts";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { drawnOn } from "../../state/drawing/drawn-on.ts";
import { useOpenFilm } from "../../state/films/films.ts";
import { useText } from "../../ui/language/language.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { useProbe } from "./probe-slice.ts";
import { useViewer } from "../viewer-slice.ts";

export function toggleCrosshair(): void {
  const { pixels, view, stage } = useViewer.getState();
  const { hasCrosshair, putCrosshair, clear } = useProbe.getState();
  if (hasCrosshair) clear();
  else if (pixels)
    putCrosshair(
      pixels,
      mapped(inverted(filmToStage(view, pixels, stage)), { x: stage.widthPx / 2, y: stage.heightPx / 2 }),
    );
}

export function Crosshair() {
  const pixels = useViewer((state) => state.pixels);
  const at = useProbe((state) => (state.hasCrosshair ? state.at : null));
  return at && pixels && <PutCrosshair at={at} pixels={pixels} />;
}

/** Adds a point of the active drawing tool at the crosshair; Enter twice in one place closes a polygon. */
function placeAnnotation(film: Film, pixels: Size, view: View, stage: Size, at: ScreenPoint): void {
  const { films, place } = useAnnotations.getState();
  const on = drawnOn(films[film.id]?.stack.present ?? null, film, pixels);
  place(film.id, on, mapped(inverted(frameToStage(view, pixels, on, stage)), at));
}

/** Crosshair moved by the arrow keys. Enter places a point when measuring by hand or drawing; Escape removes it. */
function PutCrosshair({ at, pixels }: { readonly at: ScreenPoint; readonly pixels: Size }) {
  const text = useText();
  const element = useRef<HTMLDivElement>(null);
  const film = useOpenFilm();
  const { putCrosshair, clear } = useProbe();
  const { view, stage } = useViewer();
  useEffect(() => element.current?.focus(), []);
  const toStage = filmToStage(view, pixels, stage);
  const { x, y } = mapped(toStage, { x: at.x + 0.5, y: at.y + 0.5 });
  const move = (event: KeyboardEvent) => {
    const step = arrowStep(event, toStage);
    const { mode, frame, place } = useCorrection.getState();
    if (step) putCrosshair(pixels, { x: at.x + Math.round(step.x), y: at.y + Math.round(step.y) });
    else if (event.key === "Enter" && mode === "none" && film && useAnnotations.getState().tool)
      placeAnnotation(film, pixels, view, stage, { x, y });
    else if (event.key === "Enter" && mode === "by_hand")
      place(mapped(inverted(frameToStage(view, pixels, frame, stage)), { x, y }));
    else if (event.key === "Escape") clear();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={element}
      className="crosshair"
      style={{ left: x, top: y }}
      role="application"
      aria-label={text("viewer.crosshairKeys")}
      tabIndex={0}
      data-testid="crosshair"
      onKeyDown={move}
    >
      <svg viewBox="-24 -24 48 48" aria-hidden="true">
        <path className="halo" d="M-22 0H-5M5 0H22M0-22V-5M0 5V22" />
        <path d="M-22 0H-5M5 0H22M0-22V-5M0 5V22" />
      </svg>
    </div>
  );
}
