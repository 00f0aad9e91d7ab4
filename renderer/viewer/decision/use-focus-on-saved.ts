import { useEffect, useRef, type RefObject } from "react";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import type { Write } from "../correction/signing.ts";

/**
 * Returns a wrapper for saving by a button of `buttons`, which the new reading removes. The saved version gets the
 * focus, so that a second Enter does not make a decision.
 */
export function useFocusOnSaved(
  filmId: string,
  reading: Reading | null,
  buttons: RefObject<HTMLElement | null>,
): (save: Write) => Write {
  const isWorking = useCorrection(({ mode }) => mode !== "none");
  const pressed = useRef<{ readonly filmId: string; readonly before: string | null } | null>(null);
  useEffect(() => {
    if (isWorking || pressed.current?.filmId !== filmId || pressed.current.before === (reading?.id ?? null)) return;
    const version = buttons.current?.closest(".panel")?.querySelector<HTMLElement>(".version.counts");
    if (!version) return;
    pressed.current = null;
    version.focus();
  });
  return (save) => async (signature) => {
    const hasKeyboard = buttons.current?.contains(document.activeElement);
    pressed.current = hasKeyboard ? { filmId, before: reading?.id ?? null } : null;
    const isSaved = await save(signature);
    if (!isSaved) pressed.current = null;
    return isSaved;
  };
}
