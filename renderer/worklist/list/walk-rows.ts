import type { KeyboardEvent } from "react";
import { useSelection } from "../../state/films/selection.ts";

export function focusedFilm(): string | null {
  return document.activeElement?.closest("[data-film]")?.getAttribute("data-film") ?? null;
}

/** Focuses a film's row; a distant row exists only after the list has been rendered around it. */
export function focusRow(filmId: string, tries = 10): void {
  const row = document.querySelector<HTMLElement>(`[data-film="${CSS.escape(filmId)}"] .film-open`);
  if (row) row.focus();
  else if (tries > 0) requestAnimationFrame(() => focusRow(filmId, tries - 1));
}

type Walked = {
  readonly show: (filmId: string) => void;
  readonly isBeside: (fromId: string, toId: string) => boolean;
  readonly extend: (filmId: string) => void;
};

/** Moves the focus between rows with the arrow keys, Home and End; with Shift, extends the selection. */
export function walkRows(
  event: KeyboardEvent<HTMLElement>,
  order: readonly string[],
  { show, isBeside, extend }: Walked,
): void {
  const from = focusedFilm();
  const at = from === null ? -1 : order.indexOf(from);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: order.length - 1 }[event.key];
  const id = at < 0 || to === undefined ? undefined : order[to];
  if (!id || !from || to === undefined) return;
  event.preventDefault();
  // The rows in between are still loading.
  if (Math.abs(to - at) === 1 && !isBeside(from, id)) return;
  const isSelecting = event.shiftKey;
  show(id);
  focusRow(id);
  if (!isSelecting) return;
  const { anchor, only } = useSelection.getState();
  if (anchor === null || !order.includes(anchor)) only(from);
  extend(id);
}
