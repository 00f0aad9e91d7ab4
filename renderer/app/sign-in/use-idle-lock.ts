import { useEffect } from "react";
import { call } from "../../state/connection.ts";
import { usePeople } from "../../state/people.ts";
import { saveField } from "../../ui/fields/saved-when-left.ts";

/** Minimum interval between activity reports to the program [ms]. */
const touchEveryMs = 20_000;
/** How often it is looked whether the time is over [ms]. */
const lookEveryMs = 5000;
/** Unreported activity may make the program lock this much earlier than the page expects. */
const saveFieldsBeforeMs = touchEveryMs + 2 * lookEveryMs;

/**
 * Reloads the session after the configured idle time: the program has then locked it, unless the user is active in
 * another tab of the browser, which shares the sign-in.
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
      // Saves before the lock, when the user's session still exists. The focus stays, so that the user can continue
      // typing.
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
