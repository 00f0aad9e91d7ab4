import { tilted, turned, type View } from "../film/view.ts";
import { useCommands } from "../ui/keys/shortcuts.ts";

/** Every film as it fits its place. `zoom` is beyond fitting. */
export const fittedTogether: View = { zoom: 1, panXPx: 0, panYPx: 0, quarterTurns: 0, isFlipped: false };

/** Zoom of compared films beyond fitting. */
const zoomLimits = { least: 0.5, most: 12 } as const;
const zoomStep = 1.25;

/** All films zoomed by a factor. */
export function zoomedTogether(view: View, factor: number): View {
  return { ...view, zoom: Math.min(zoomLimits.most, Math.max(zoomLimits.least, view.zoom * factor)) };
}

/** The viewer's keys that fit, zoom, turn and mirror mean all compared films. */
export function useLinkedViewCommands(view: View, setView: (view: View) => void): void {
  const to = (next: View) => () => setView(next);
  useCommands({
    "view.fit": to({ ...view, zoom: 1, panXPx: 0, panYPx: 0 }),
    "view.zoomIn": to(zoomedTogether(view, zoomStep)),
    "view.zoomOut": to(zoomedTogether(view, 1 / zoomStep)),
    "view.rotate": to(turned(view, 1)),
    "view.rotateLeft": to(turned(view, -1)),
    "view.turnLeft": to(tilted(view, -1)),
    "view.turnRight": to(tilted(view, 1)),
    "view.flip": to({ ...view, isFlipped: !view.isFlipped }),
  });
}

/** Its commands in the order of the buttons. */
export const linkedViewTools = [
  { command: "view.fit", icon: "fit" },
  { command: "view.zoomOut", icon: "zoomOut" },
  { command: "view.zoomIn", icon: "zoomIn" },
  { command: "view.rotateLeft", icon: "rotateLeft" },
  { command: "view.rotate", icon: "rotate" },
  { command: "view.flip", icon: "flip" },
] as const;
