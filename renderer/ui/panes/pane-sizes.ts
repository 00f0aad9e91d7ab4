import { create } from "zustand";
import { persist } from "zustand/middleware";
import { letterScale } from "../letter-scale.ts";

/**
 * Resizable panes with their size limits: height of the charts, width of the others [px]. Minimum sizes grow with the
 * text of the display.
 */
export const panes = {
  list: { leastPx: 200, mostPx: 640 },
  panel: { leastPx: 240, mostPx: 640 },
  patients: { leastPx: 200, mostPx: 640 },
  charts: { leastPx: 160, mostPx: 640 },
} as const;
export type Pane = keyof typeof panes;

/** Minimum size of a pane on this display [px]. */
export function minSizePx(pane: Pane): number {
  return Math.round(panes[pane].leastPx * letterScale());
}

type PaneSizes = {
  readonly sizesPx: { readonly [P in Pane]?: number | undefined };
  /** @param sizePx  undefined for the default size */
  readonly setSize: (pane: Pane, sizePx: number | undefined) => void;
};

/** Stored in the browser rather than in the settings, since the sizes depend on the screen. */
export const usePaneSizes = create<PaneSizes>()(
  persist(
    (set) => ({
      sizesPx: {},
      setSize: (pane, sizePx) => {
        const limited = sizePx && Math.round(Math.min(panes[pane].mostPx, Math.max(minSizePx(pane), sizePx)));
        set(({ sizesPx }) => ({ sizesPx: { ...sizesPx, [pane]: limited } }));
      },
    }),
    { name: "corvet.panes", partialize: ({ sizesPx }) => ({ sizesPx }) },
  ),
);

/** Sets the sizes as CSS properties; the style sheets limit them in narrow windows. */
function apply({ sizesPx }: PaneSizes): void {
  for (const pane of Object.keys(panes) as Pane[]) {
    const sizePx = sizesPx[pane];
    document.documentElement.style.setProperty(`--${pane}`, sizePx === undefined ? "" : `${sizePx}px`);
  }
}

apply(usePaneSizes.getState());
usePaneSizes.subscribe(apply);
