import type { ReactNode } from "react";
import { useViewer } from "../viewer-slice.ts";

/** View at the start of a drag, during which the overlay is shifted with the film instead of being rendered. */
export function useStillView() {
  const pixels = useViewer((state) => state.pixels);
  const stage = useViewer((state) => state.stage);
  const view = useViewer((state) => state.panFrom ?? state.view);
  return { pixels, stage, view };
}

export function Shifted({ children }: { readonly children: ReactNode }) {
  const xPx = useViewer(({ panFrom, view }) => (panFrom ? view.panXPx - panFrom.panXPx : 0));
  const yPx = useViewer(({ panFrom, view }) => (panFrom ? view.panYPx - panFrom.panYPx : 0));
  return (
    <div className="shifted" style={{ transform: `translate(${xPx}px, ${yPx}px)` }}>
      {children}
    </div>
  );
}
