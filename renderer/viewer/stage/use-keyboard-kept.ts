import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import { useFilms } from "../../state/films/films.ts";
import { isGivenBack } from "../../ui/focus-return.ts";
import { isTyping } from "../../ui/keys/shortcut-keys.ts";
import { useCorrection } from "../correction/correction-slice.ts";

/** What had the keyboard when a correction began, and of which film. */
type Before = { readonly element: Element | null; readonly filmId: string | null };

/**
 * The film has the keyboard during a correction, so that Tab chooses a point; what had it before has it again at the
 * end. The button that begins or ends one, and a point that is taken back, are gone: the film has it then, too.
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
  // The question whether to save still has the keyboard at the end, and gives it to the film, whose point is gone.
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
