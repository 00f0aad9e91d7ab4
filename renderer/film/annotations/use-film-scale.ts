import { useMemo } from "react";
import { filmScale, type FilmScale } from "../../../core/annotations/film-scale.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { useText } from "../../ui/language/language.ts";
import { spacingOf } from "../spacing/spacing.ts";
import type { Size } from "../view.ts";
import { useShownDrawings } from "./use-shown-drawings.ts";

/** Scale of a film's picture in millimetres; null if lengths are in pixels. */
export function useFilmScale(film: Film | null, picture: Size | null): FilmScale | null {
  const set = useShownDrawings(film);
  return useMemo(
    () => (film && picture ? filmScale(spacingOf(film), film, set?.frame ?? picture, set?.calibration ?? null) : null),
    [film, picture, set],
  );
}

/** Returns the unit in words: millimetres and the plane they refer to, or why lengths are in pixels. */
export function useScaleText(): (scale: FilmScale | null) => string {
  const text = useText();
  return (scale) =>
    scale
      ? text("annotations.inMm", {
          where: text(scale.kind === "calibrated" ? "annotations.calibrated" : `studies.spacing_${scale.kind}`),
        })
      : text("annotations.inPx");
}
