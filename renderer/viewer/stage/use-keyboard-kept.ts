import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useFilms } from "../../state/films/films.ts";
import { isRestoringFocus } from "../../ui/dialogs/focus-return.ts";
import { isTyping } from "../../ui/keys/shortcut-keys.ts";
import { useCorrection } from "../correction/correction-slice.ts";

type Before = { readonly element: Element | null; readonly filmId: string | null };

/**
 * Keeps the focus on the film during a correction, so that Tab selects a point, and returns it to the previous element
 * at the end. The film keeps the focus if that element has been removed, like the buttons that begin and end a
 * correction.
 */
export function useKeyboardKept(stageRef: RefObject<HTMLDivElement | null>): void {
  const mode = useCorrection((state) => state.mode);
  const present = useCorrection((state) => state.stack.present);
  const was = useRef(mode);
  const before = useRef<Before>({ element: null, filmId: null });
  const isReturnPending = useRef(false);
  // Runs before the effect that focuses a selected point.
  useLayoutEffect(() => {
    if (mode !== "none") before.current = { element: document.activeElement, filmId: useFilms.getState().openId };
  }, [mode]);
  useEffect(() => {
    const [isWorking, wasWorking] = [mode !== "none", was.current !== "none"];
    was.current = mode;
    const inUse = document.activeElement;
    const isLost = inUse === document.body;
    const isWithin = stageRef.current?.contains(inUse) === true;
    const isOver = wasWorking && !isWorking;
    isReturnPending.current = isOver && !isLost && !isWithin;
    if (isOver && !isReturnPending.current && restoreFocus(before.current)) return;
    const isBegun = isWorking && !wasWorking && !isWithin && !isTyping(inUse);
    if (isBegun || ((isWorking || wasWorking) && isLost)) stageRef.current?.focus({ preventScroll: true });
  }, [mode, present, stageRef]);
  // At the end the save dialog still has the focus; it returns it to the film, from where it is passed on.
  useEffect(() => {
    const stage = stageRef.current;
    const returnFocus = () => {
      if (isReturnPending.current && isRestoringFocus()) restoreFocus(before.current);
      isReturnPending.current = false;
    };
    stage?.addEventListener("focus", returnFocus);
    return () => stage?.removeEventListener("focus", returnFocus);
  }, [stageRef]);
}

/** Restores the focus. @returns false if the element has been removed or another film is open */
function restoreFocus({ element, filmId }: Before): boolean {
  const isThere = element !== document.body && element?.isConnected === true;
  if (!isThere || filmId !== useFilms.getState().openId) return false;
  (element as Element & HTMLOrSVGElement).focus({ preventScroll: true });
  return true;
}
