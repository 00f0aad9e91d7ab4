import type { FilmFilters } from "../../state/films/listed-films.ts";

export function isFiltered(filters: FilmFilters): boolean {
  return Object.entries(filters).some(([name, value]) => name !== "order" && value !== undefined);
}
