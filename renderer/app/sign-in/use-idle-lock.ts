import { useEffect } from "react";
import { call } from "../../state/connection.ts";
import { usePeople } from "../../state/people.ts";
import { saveField } from "../../ui/fields/saved-when-left.ts";

/** The program is told of somebody at the screen at most this often [ms]. */
const touchEveryMs = 20_000;
/** How often it is looked whether the time is over [ms]. */
const lookEveryMs = 5000;
/** The program may lock sooner than this page expects by what it was not told yet. */
const saveFieldsBeforeMs = touchEveryMs + 2 * lookEveryMs;

/**
 * Asks who is here once nobody has used this page for as long as the settings say: then the program has locked it,
 * unless somebody works in another tab of the same browser, which is the same sign-in.
 */
export function useIdleLock(): void {
  const minutes = usePeople(({ session }) => (session?.me ? session.lockAfterMinutes : null));
  useEffect(() => {
    if (minutes === null) return undefined;
    let [usedMs, reportedMs] = [Date.now(), Date.now()];
    let isSaved = false;
    const use = () => {
      usedMs = Date.now();
      isSaved = false;
      if (usedMs - reportedMs < touchEveryMs) return;
      reportedMs = usedMs;
      // A page that is locked already finds out by its next question.
      call("session.touch", {}).catch(
        () =>
          void usePeople
            .getState()
            .load()
            .catch(() => undefined),
      );
    };
    const look = setInterval(() => {
      const leftMs = usedMs + minutes * 60_000 - Date.now();
      // Afterwards nobody is there to save it for. Whoever only thinks goes on typing where they were.
      if (leftMs <= saveFieldsBeforeMs && !isSaved) {
        isSaved = true;
        saveField();
      }
      if (leftMs <= 0) void usePeople.getState().lockIfIdle();
    }, lookEveryMs);
    const signs = ["pointerdown", "pointermove", "keydown", "wheel"] as const;
    for (const sign of signs) window.addEventListener(sign, use, { passive: true });
    return () => {
      clearInterval(look);
      for (const sign of signs) window.removeEventListener(sign, use);
    };
  }, [minutes]);
}
