import { create } from "zustand";
import { letterScale } from "../letter-scale.ts";

/**
 * Resizable panes with their limits: the charts' height, others' width [px]. Larger text on a large display needs wider
 * panes.
 */
export const panes = {
  list: { leastPx: 200, mostPx: 640 },
  panel: { leastPx: 240, mostPx: 640 },
  patients: { leastPx: 200, mostPx: 640 },
  charts: { leastPx: 160, mostPx: 640 },
} as const;
export type Pane = keyof typeof panes;

/** How small a pane can be on this display [px]. */
export function leastPxOf(pane: Pane): number {
  return Math.round(panes[pane].leastPx * letterScale());
}

/** Kept on this machine and not with the settings: it fits its screen, not the person. */
const storageKey = "corvet.panes";

type PaneSizes = {
  readonly sizesPx: { readonly [P in Pane]?: number };
  /** undefined: as large as usual. */
  readonly setSize: (pane: Pane, sizePx: number | undefined) => void;
};

export const usePaneSizes = create<PaneSizes>((set, get) => {
  const sizesPx = keptSizes();
  for (const pane of Object.keys(panes) as Pane[]) apply(pane, sizesPx[pane]);
  return {
    sizesPx,
    setSize: (pane, sizePx) => {
      const leastPx = leastPxOf(pane);
      const { mostPx } = panes[pane];
      const size = sizePx === undefined ? undefined : Math.round(Math.min(mostPx, Math.max(leastPx, sizePx)));
      const others = Object.entries(get().sizesPx).filter(([name]) => name !== pane);
      const sizes = Object.fromEntries(size === undefined ? others : [...others, [pane, size]]);
      apply(pane, size);
      keep(sizes);
      set({ sizesPx: sizes });
    },
  };
});

/** The style sheets read the size from a property of the page, and keep a window that is too narrow for it usable. */
function apply(pane: Pane, sizePx: number | undefined): void {
  const { style } = document.documentElement;
  if (sizePx === undefined) style.removeProperty(`--${pane}`);
  else style.setProperty(`--${pane}`, `${sizePx}px`);
}

function keptSizes(): PaneSizes["sizesPx"] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(([pane, size]) => {
        const limits = panes[pane as Pane] as (typeof panes)[Pane] | undefined;
        return limits && typeof size === "number" && size >= limits.leastPx && size <= limits.mostPx;
      }),
    );
  } catch {
    return {};
  }
}

function keep(sizesPx: PaneSizes["sizesPx"]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(sizesPx));
  } catch {
    // A browser that keeps nothing: it holds until the page is closed.
  }
}
