import { create } from "zustand";
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

/** Stored in the browser rather than in the settings, since the sizes depend on the screen. */
const storageKey = "corvet.panes";

type PaneSizes = {
  readonly sizesPx: { readonly [P in Pane]?: number };
  /** @param sizePx  undefined for the default size */
  readonly setSize: (pane: Pane, sizePx: number | undefined) => void;
};

export const usePaneSizes = create<PaneSizes>((set, get) => {
  const sizesPx = keptSizes();
  for (const pane of Object.keys(panes) as Pane[]) apply(pane, sizesPx[pane]);
  return {
    sizesPx,
    setSize: (pane, sizePx) => {
      const minPx = minSizePx(pane);
      const { mostPx } = panes[pane];
      const size = sizePx === undefined ? undefined : Math.round(Math.min(mostPx, Math.max(minPx, sizePx)));
      const others = Object.entries(get().sizesPx).filter(([name]) => name !== pane);
      const sizes = Object.fromEntries(size === undefined ? others : [...others, [pane, size]]);
      apply(pane, size);
      keep(sizes);
      set({ sizesPx: sizes });
    },
  };
});

/** Sets the size as a CSS property; the style sheets limit it in narrow windows. */
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
        if (!(pane in panes) || typeof size !== "number") return false;
        return size >= minSizePx(pane as Pane) && size <= panes[pane as Pane].mostPx;
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
    // Without storage, the sizes last until the page is closed.
  }
}
