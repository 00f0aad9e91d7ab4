import type { AnnotationSet } from "../../../core/contract/desktop/annotations.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { useAnnotations } from "../../state/drawing/annotations.ts";
import { shownDrawings } from "../../state/drawing/drawn-on.ts";

export function useShownDrawings(film: Pick<Film, "id" | "picture"> | null): AnnotationSet | null {
  const set = useAnnotations((state) => (film ? state.films[film.id]?.stack.present : null) ?? null);
  return film && shownDrawings(set, film);
}
