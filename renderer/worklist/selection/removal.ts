import { call } from "../../state/connection.ts";
import { showFault } from "../../state/faults.ts";
import { useFilms } from "../../state/films/films.ts";
import { noteShownMs, useToasts } from "../../ui/toasts.tsx";
import { inParts } from "./in-parts.ts";

/**
 * Takes films off the worklist once the time to take it back is over. Until then they are only out of sight: a window
 * that is closed early removes nothing.
 */
export function removeWithUndo(filmIds: readonly string[]): void {
  const { hide, unhide, openId, open } = useFilms.getState();
  hide(filmIds);
  const remove = async () => {
    try {
      for (const part of inParts(filmIds)) await call("films.remove", { filmIds: part });
    } catch (error) {
      unhide(filmIds);
      showFault(error);
    }
  };
  const waiting = setTimeout(() => void remove(), noteShownMs);
  useToasts.getState().show("note", (say) => say("films.removed", { count: filmIds.length }), {
    action: {
      label: (say) => say("viewer.undo"),
      onChoose: () => {
        clearTimeout(waiting);
        unhide(filmIds);
        if (useFilms.getState().openId === null) open(openId);
      },
    },
  });
}
