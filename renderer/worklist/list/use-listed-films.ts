import { useMemo } from "react";
import { useFilms, useWorklist } from "../../state/films/films.ts";
import { useSelection } from "../../state/films/selection.ts";
import { groupFilms, type FilmGroup } from "../study-groups.ts";
import { layRows } from "./list-rows.ts";

export type ListedFilms = ReturnType<typeof useListedFilms>;

/** The worklist's films by row; `several` are those selected, in the order of the rows. */
export function useListedFilms() {
  const { films, gaps, hidden } = useWorklist();
  const { ids: selected, isPicking } = useSelection();
  const groups = useMemo(() => groupFilms((films ?? []).filter(({ id }) => !hidden.has(id))), [films, hidden]);
  const order = useMemo(() => orderOf(groups), [groups]);
  const rows = useMemo(() => layRows({ films: films ?? [], gaps }, groups), [films, gaps, groups]);
  const several = order.filter((id) => selected.has(id));
  return { films, order, rows, several, isTogether: isPicking || several.length > 1 };
}

/** Ids of the films listed now, which may be more than at the last render, in the order of the rows. */
export function listedOrder(): readonly string[] {
  const { films, hidden } = useFilms.getState();
  return orderOf(groupFilms((films ?? []).filter(({ id }) => !hidden.has(id))));
}

function orderOf(groups: readonly FilmGroup[]): readonly string[] {
  return groups.flatMap((group) => group.films.map(({ id }) => id));
}
