import { useSyncExternalStore } from "react";
import { attempt } from "../state/faults.ts";

/**
 * Makes the whole page fill the screen, not only the viewer: menus, dialogs and hints are outside the viewer element
 * and would not be shown. The style sheet hides rail, worklist and status bar.
 */
export function toggleFullScreen(): void {
  attempt(() =>
    document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
  );
}

export function useIsFullScreen(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener("fullscreenchange", onChange);
  return () => document.removeEventListener("fullscreenchange", onChange);
}
