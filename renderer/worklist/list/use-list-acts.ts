import { attempt } from "../../state/faults.ts";
import { useFilms, useWorklist } from "../../state/films/films.ts";
import { nearestTo } from "../../state/films/listed-films.ts";
import { useSelection } from "../../state/films/selection.ts";
import { useNavigation } from "../../state/navigation.ts";
import { removeWithUndo } from "../selection/removal.ts";
import { beginOfPart, type ListRows } from "./list-rows.ts";
import { listedOrder, type ListedFilms } from "./use-listed-films.ts";
import type { RowActs } from "./use-stable-row-acts.ts";
import { focusedFilm, focusRow } from "./walk-rows.ts";

export type ListActs = ReturnType<typeof useListActs>;

export function useListActs(list: ListedFilms) {
  const { order, rows } = list;
  const { openId } = useWorklist();
  const { ids: selected, isPicking, only, toggle, extendTo, all } = useSelection();
  const leave = useNavigation((state) => state.leave);
  const open = (id: string | undefined) => {
    if (!id) return;
    only(id);
    if (id !== openId) leave(() => useFilms.getState().open(id));
  };
  const extend = (id: string) =>
    attempt(async () => {
      const { anchor } = useSelection.getState();
      if (anchor === null || rows.missingBetween(anchor, id) === null) return extendTo(id, order);
      await useFilms.getState().listAll();
      extendTo(id, listedOrder());
    });
  const press: RowActs["press"] = (id, how) => {
    if (how === "open") return isPicking ? toggle(id) : open(id);
    if (how === "pick") return useSelection.getState().pick(id);
    if (how === "menu") return selected.has(id) ? undefined : only(id);
    return how === "toggle" ? toggle(id) : extend(id);
  };
  const selectAll = () =>
    attempt(async () => {
      await useFilms.getState().listAll();
      all(listedOrder());
    });
  const remove = (filmIds: readonly string[], menuOf: string | null = null) =>
    leave(() => {
      const focused = focusedFilm() ?? menuOf;
      const gone = new Set(filmIds);
      removeWithUndo(filmIds);
      // Without a focused row, the next press of the key would remove the open film.
      const next = focused !== null && gone.has(focused) ? nearestTo(focused, order, gone) : null;
      if (next !== null) requestAnimationFrame(() => focusRow(next));
    });
  const openBeside = (step: 1 | -1) => attempt(async () => open(await filmBeside(list, openId ?? "", step)));
  return { press, extend, selectAll, remove, openBeside };
}

/** The next or the previous film, which is loaded first if it is missing. */
async function filmBeside({ order, rows }: ListedFilms, filmId: string, step: 1 | -1): Promise<string | undefined> {
  const at = order.indexOf(filmId);
  const next = order[at + step];
  const beside = rowBeside(rows, filmId, step);
  const missing = next ? rows.missingBetween(filmId, next) : beside?.kind === "missing" ? beside : null;
  if (!missing || at < 0) return next;
  await useFilms.getState().listPart(missing.gap, beginOfPart(missing));
  const listed = listedOrder();
  return listed[listed.indexOf(filmId) + step];
}

function rowBeside(rows: ListRows, filmId: string, step: 1 | -1): ReturnType<ListRows["at"]> {
  let row = rows.rowOf(filmId) + step;
  for (let at = rows.at(row); at?.kind === "study" || at?.kind === "series"; at = rows.at(row)) row += step;
  return rows.at(row);
}
