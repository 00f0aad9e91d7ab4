import type { Pinch } from "../film/pinch.ts";
import { panned, tilted, turned, zoomedAt, type Size, type View } from "../film/view.ts";
import { preferredPreset, type WindowPreset } from "../film/window/window-presets.ts";
import { wholeRange, type GreyWindow } from "../film/window/window-level.ts";
import { toggleMagnifier } from "../film/magnifier/magnifier-switch.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";

/** View shared by compared films: zoom relative to fitting, position, rotation, mirroring, window and filters. */
export type Linked = {
  readonly view: View;
  readonly preset: WindowPreset;
  /** Relative to each film's initial window, which counts as the whole range. */
  readonly window: GreyWindow;
  readonly isInverted: boolean;
  readonly isSharpened: boolean;
};

/** A change of the shared view; a function receives the latest state, as several changes may precede a render. */
export type LinkChange = Partial<Linked> | ((before: Linked) => Partial<Linked>);

const fittedTogether: View = { zoom: 1, panXPx: 0, panYPx: 0, quarterTurns: 0, isFlipped: false };

export function initialLinked(): Linked {
  const shown = { preset: preferredPreset(), window: wholeRange, isInverted: false, isSharpened: false };
  return { view: fittedTogether, ...shown };
}

const zoomLimits = { least: 0.5, most: 12 } as const;
const zoomStep = 1.25;

function zoomedTogether(view: View, factor: number): View {
  return { ...view, zoom: Math.min(zoomLimits.most, Math.max(zoomLimits.least, view.zoom * factor)) };
}

export function pinchAll(view: View, { byXPx, byYPx, factor, middle }: Pinch, stage: Size): View {
  const moved = panned(view, byXPx, byYPx);
  const { zoom } = zoomedTogether(moved, factor);
  return { ...zoomedAt(moved, zoom / moved.zoom, middle, stage), zoom };
}

export function useLinkedCommands(linked: Linked, change: (change: Partial<Linked>) => void): void {
  const { view, isInverted, isSharpened } = linked;
  const to = (next: View) => () => change({ view: next });
  useCommands({
    "view.fit": to({ ...view, zoom: 1, panXPx: 0, panYPx: 0 }),
    "view.zoomIn": to(zoomedTogether(view, zoomStep)),
    "view.zoomOut": to(zoomedTogether(view, 1 / zoomStep)),
    "view.rotate": to(turned(view, 1)),
    "view.rotateLeft": to(turned(view, -1)),
    "view.turnLeft": to(tilted(view, -1)),
    "view.turnRight": to(tilted(view, 1)),
    "view.flip": to({ ...view, isFlipped: !view.isFlipped }),
    "view.invert": () => change({ isInverted: !isInverted }),
    "view.sharpen": () => change({ isSharpened: !isSharpened }),
    "view.windowReset": () => change({ preset: preferredPreset(), window: wholeRange, isInverted: false }),
    "view.magnifier": toggleMagnifier,
  });
}
