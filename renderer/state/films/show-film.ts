import { useNavigation } from "../navigation.ts";
import { useFilms } from "./films.ts";

/** Opens a film on the worklist screen; asks first if there are unsaved changes. */
export function showFilm(filmId: string): void {
  const { leave, go } = useNavigation.getState();
  leave(() => {
    go("films");
    useFilms.getState().open(filmId);
  });
}
