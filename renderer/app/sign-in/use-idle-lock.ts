import { useEffect } from "react";
import { call } from "../../state/connection.ts";
import { usePeople } from "../../state/people.ts";
import { saveField } from "../../ui/fields/saved-when-left.ts";

/** Minimum interval between activity reports to the program [ms]. */
const touchEveryMs = 20_000;
/** Interval at which the idle time is checked [ms]. */
const checkIntervalMs = 5000;
/** Time before the expected lock at which fields are saved [ms]: the program may not have seen the latest activity. */
const saveFieldsBeforeMs = touchEveryMs + 2 * checkIntervalMs;

/**
 * Reloads the session after the configured idle time. The program has then locked it, unless the user is active in
 * another tab of the browser, which shares the session.
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
      // The call fails if the session is already locked; loading it then shows the lock screen.
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
      // Saved before the lock, while the session still exists. The focus stays so that the user can continue typing.
      if (leftMs <= saveFieldsBeforeMs && !isSaved) {
        isSaved = true;
        saveField();
      }
      if (leftMs <= 0) void usePeople.getState().lockIfIdle();
    }, checkIntervalMs);
    const signs = ["pointerdown", "pointermove", "keydown", "wheel"] as const;
    for (const sign of signs) window.addEventListener(sign, use, { passive: true });
    return () => {
      clearInterval(look);
      for (const sign of signs) window.removeEventListener(sign, use);
    };
  }, [minutes]);
}
