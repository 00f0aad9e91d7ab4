import { create } from "zustand";

/** Panes whose width a person may choose, and how narrow and wide each can be [px]. */
export const panes = {
  list: { leastPx: 200, mostPx: 640 },
  panel: { leastPx: 240, mostPx: 640 },
  patients: { leastPx: 200, mostPx: 640 },
} as const;
export type Pane = keyof typeof panes;

/** Kept on this machine and not with the settings: it fits its screen, not the person. */
const storageKey = "corvet.panes";

type PaneWidths = {
  readonly widthsPx: { readonly [P in Pane]?: number };
  /** undefined: as wide as usual. */
  readonly setWidth: (pane: Pane, widthPx: number | undefined) => void;
};

/** How wide the panes are where somebody has chosen it. */
export const usePaneWidths = create<PaneWidths>((set, get) => {
  const widthsPx = keptWidths();
  for (const pane of Object.keys(panes) as Pane[]) apply(pane, widthsPx[pane]);
  return {
    widthsPx,
    setWidth: (pane, widthPx) => {
      const { leastPx, mostPx } = panes[pane];
      const width = widthPx === undefined ? undefined : Math.round(Math.min(mostPx, Math.max(leastPx, widthPx)));
      const others = Object.entries(get().widthsPx).filter(([name]) => name !== pane);
      const widths = Object.fromEntries(width === undefined ? others : [...others, [pane, width]]);
      apply(pane, width);
      keep(widths);
      set({ widthsPx: widths });
    },
  };
});

/** The style sheets read the width from a property of the page, and keep a window that is too narrow for it usable. */
function apply(pane: Pane, widthPx: number | undefined): void {
  const { style } = document.documentElement;
  if (widthPx === undefined) style.removeProperty(`--${pane}`);
  else style.setProperty(`--${pane}`, `${widthPx}px`);
}

function keptWidths(): PaneWidths["widthsPx"] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(([pane, width]) => {
        const limits = panes[pane as Pane] as (typeof panes)[Pane] | undefined;
        return limits && typeof width === "number" && width >= limits.leastPx && width <= limits.mostPx;
      }),
    );
  } catch {
    return {};
  }
}

function keep(widthsPx: PaneWidths["widthsPx"]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(widthsPx));
  } catch {
    // A browser that keeps nothing: it holds until the page is closed.
  }
}
