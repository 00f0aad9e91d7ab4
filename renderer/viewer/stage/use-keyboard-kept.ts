import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useFilms } from "../../state/films/films.ts";
import { isGivenBack } from "../../ui/dialogs/focus-return.ts";
import { isTyping } from "../../ui/keys/shortcut-keys.ts";
import { useCorrection } from "../correction/correction-slice.ts";

/** Focused element and film at the start of a correction. */
type Before = { readonly element: Element | null; readonly filmId: string | null };

/**
 * Keeps the focus on the film during a correction, so that Tab selects a point, and restores it to the previous element
 * at the end. If that element has been removed, as the buttons that begin and end a correction are, the film keeps the
 * focus.
 */
export function useKeyboardKept(stageRef: RefObject<HTMLDivElement | null>): void {
  const mode = useCorrection((state) => state.mode);
  const present = useCorrection((state) => state.stack.present);
  const was = useRef(mode);
  const before = useRef<Before>({ element: null, filmId: null });
  const isOwed = useRef(false);
  // Earlier than the effect by which a chosen point takes the keyboard.
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
    isOwed.current = isOver && !isLost && !isWithin;
    if (isOver && !isOwed.current && giveBack(before.current)) return;
    const isBegun = isWorking && !wasWorking && !isWithin && !isTyping(inUse);
    if (isBegun || ((isWorking || wasWorking) && isLost)) stageRef.current?.focus({ preventScroll: true });
  }, [mode, present, stageRef]);
  // The save dialog still has the focus at the end and returns it to the film, whose point has been removed.
  useEffect(() => {
    const stage = stageRef.current;
    const passOn = () => {
      if (isOwed.current && isGivenBack()) giveBack(before.current);
      isOwed.current = false;
    };
    stage?.addEventListener("focus", passOn);
    return () => stage?.removeEventListener("focus", passOn);
  }, [stageRef]);
}

/** @returns whether it is still there, beside the same film */
function giveBack({ element, filmId }: Before): boolean {
  const isThere = element !== document.body && element?.isConnected === true;
  if (!isThere || filmId !== useFilms.getState().openId) return false;
  (element as Element & HTMLOrSVGElement).focus({ preventScroll: true });
  return true;
}
