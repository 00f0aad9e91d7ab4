import type { SameAnimal } from "../../../../core/cardiac/agreement/same-animal.ts";
import { getFilm } from "../../../store/films/films.ts";
import { changeSetting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { publishFilms } from "../film-events.ts";
import { sameAnimalsSetting } from "./same-animals.ts";

/** @throws AppError NOT_FOUND */
export async function confirmSameAnimal(context: DesktopContext, pair: SameAnimal): Promise<void> {
  const filmIds = [pair.filmId, pair.otherId];
  for (const filmId of filmIds) await getFilm(context.db, filmId);
  await changeSetting(context.db, sameAnimalsSetting, (pairs) => [...pairs, pair]);
  await publishFilms(context, filmIds);
}
