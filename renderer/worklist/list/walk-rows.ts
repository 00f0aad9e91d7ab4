import type { KeyboardEvent } from "react";
import { useSelection } from "../../state/films/selection.ts";

/** The film whose row has the keyboard. */
export function focusedFilm(): string | null {
  return document.activeElement?.closest("[data-film]")?.getAttribute("data-film") ?? null;
}

/**
 * Arrow keys go from row to row, with Shift they select on the way; Home and End go to the ends.
 *
 * @param order  of all rows that are listed
 * @param show   brings a film's row into sight, so that it can take the keyboard
 */
export function walkRows(
  event: KeyboardEvent<HTMLElement>,
  order: readonly string[],
  show: (filmId: string) => void,
): void {
  const from = focusedFilm();
  const at = from === null ? -1 : order.indexOf(from);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
  const id = at < 0 || to === undefined ? undefined : order[to];
  if (!id || !from) return;
  event.preventDefault();
  const list = event.currentTarget;
  const isSelecting = event.shiftKey;
  show(id);
  // A row that was far away is there once the list has been drawn around it.
  const focus = (tries: number): void => {
    const row = list.querySelector<HTMLElement>(`[data-film="${CSS.escape(id)}"] .film-open`);
    if (row) row.focus();
    else if (tries > 0) requestAnimationFrame(() => focus(tries - 1));
  };
  focus(10);
  if (!isSelecting) return;
  const { anchor, only, extendTo } = useSelection.getState();
  if (anchor === null || !order.includes(anchor)) only(from);
  extendTo(id, order);
}
