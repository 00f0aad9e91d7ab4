import { useSyncExternalStore } from "react";
import { attempt } from "../state/faults.ts";

/**
 * The whole page fills the screen, not the viewer alone: menus, questions and hints lie beside the viewer in the page
 * and would not be shown otherwise. The style sheet takes rail, worklist and status bar away meanwhile.
 */
export function toggleFullScreen(): void {
  attempt(() =>
    document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
  );
}

/** Whether the film fills the screen. */
export function useIsFullScreen(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener("fullscreenchange", onChange);
  return () => document.removeEventListener("fullscreenchange", onChange);
}
