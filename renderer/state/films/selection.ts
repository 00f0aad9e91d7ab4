import { create } from "zustand";
import { withoutIds } from "./listed-films.ts";

type SelectionState = {
  readonly ids: ReadonlySet<string>;
  /** Film where a selection with Shift starts. */
  readonly anchor: string | null;
  readonly only: (id: string) => void;
  readonly toggle: (id: string) => void;
  /** Selects all rows between the anchor and a film. @param order  film ids in the order of the rows */
  readonly extendTo: (id: string, order: readonly string[]) => void;
  readonly all: (order: readonly string[]) => void;
  /** Touch mode, in which each tap selects without a modifier key. */
  readonly isPicking: boolean;
  readonly pick: (id: string) => void;
  readonly endPicking: () => void;
  readonly forget: (filmIds: readonly string[]) => void;
};

export const useSelection = create<SelectionState>((set, get) => ({
  ids: new Set(),
  anchor: null,
  isPicking: false,
  pick: (id) => set({ ids: new Set([...(get().isPicking ? get().ids : []), id]), anchor: id, isPicking: true }),
  endPicking: () => set({ ids: new Set(), anchor: null, isPicking: false }),
  forget: (filmIds) => {
    const { ids, anchor } = get();
    if (!filmIds.some((id) => ids.has(id) || id === anchor)) return;
    const gone = new Set(filmIds);
    set({ ids: withoutIds(ids, gone), anchor: anchor !== null && gone.has(anchor) ? null : anchor });
  },
  only: (id) => set({ ids: new Set([id]), anchor: id }),
  toggle: (id) => {
    const ids = new Set(get().ids);
    if (!ids.delete(id)) ids.add(id);
    set({ ids, anchor: id });
  },
  extendTo: (id, order) => {
    const { anchor } = get();
    const from = anchor === null ? -1 : order.indexOf(anchor);
    const to = order.indexOf(id);
    if (from < 0 || to < 0) return get().only(id);
    set({ ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)) });
  },
  all: (order) => set({ ids: new Set(order), anchor: order[0] ?? null }),
}));

/** All selected films if the row is one of `several`, the selected films in the list, else the row's own. */
export function targetFilms(id: string, several: readonly string[]): readonly string[] {
  return several.length > 1 && several.includes(id) ? several : [id];
}
