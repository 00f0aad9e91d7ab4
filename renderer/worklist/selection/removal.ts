import { call } from "../../state/connection.ts";
import { showFault } from "../../state/faults.ts";
import { usePeople } from "../../state/people.ts";
import { useFilms } from "../../state/films/films.ts";
import { useRemovals } from "../../state/films/removals.ts";
import { afterNote } from "../../ui/notes/note-time.ts";
import { settleToasts, showToast } from "../../ui/notes/toasts.ts";
import { inParts } from "./in-parts.ts";

/**
 * Removes films from the worklist once the time for undo has passed, or before the user locks the screen or another one
 * signs in. Until then they are only hidden. Closing the window early removes nothing, nor does a session that ends
 * elsewhere, since the next user has not requested the removal.
 */
export function removeWithUndo(filmIds: readonly string[]): void {
  const { hide, unhide, openId, open } = useFilms.getState();
  const about = `removal ${crypto.randomUUID()}`;
  hide(filmIds);
  const undo = () => {
    cancel();
    useRemovals.getState().drop(undo);
    settleToasts(about);
    unhide(filmIds);
    if (useFilms.getState().openId === null) open(openId);
  };
  const remove = async () => {
    stopWatching();
    useRemovals.getState().drop(undo);
    try {
      for (const part of inParts(filmIds)) await call("films.remove", { filmIds: part });
    } catch (error) {
      unhide(filmIds);
      showFault(error);
    }
  };
  const cancelNote = afterNote(remove);
  // Opening a hidden film cancels the removal.
  const endFilms = useFilms.subscribe(({ hidden }) => {
    if (filmIds.some((id) => !hidden.has(id))) undo();
  });
  const endPeople = usePeople.subscribe((now, before) => {
    if (now.session?.me?.id !== before.session?.me?.id) undo();
  });
  const stopWatching = () => {
    endFilms();
    endPeople();
  };
  const cancel = () => {
    cancelNote();
    stopWatching();
  };
  useRemovals.getState().add(undo);
  showToast("note", (say) => say("films.removed", { count: filmIds.length }), {
    action: { label: (say) => say("viewer.undo"), onChoose: undo },
    about,
  });
}
