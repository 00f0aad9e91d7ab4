import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BrowserWindow, Rectangle } from "electron";
import { z } from "zod";

const stateSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400),
  height: z.int().min(300),
  isMaximized: z.boolean(),
});

/** Bounds of the window when it was closed [screen px]. */
export type WindowState = z.infer<typeof stateSchema>;

/** Part of the title bar that must be on a display for the window to be reachable [px]. */
const visiblePx = 80;

export function readWindowState(
  dataDir: string,
  displays: readonly { readonly workArea: Rectangle }[],
): WindowState | null {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(stateFile(dataDir), "utf8")));
    return displays.some(({ workArea }) => isReachable(state, workArea)) ? state : null;
  } catch {
    return null;
  }
}

export function keepWindowState(window: BrowserWindow, dataDir: string): void {
  window.on("close", () => {
    const state: WindowState = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    writeFileSync(stateFile(dataDir), JSON.stringify(state));
  });
}

function isReachable({ x, y, width }: WindowState, area: Rectangle): boolean {
  return (
    x + width > area.x + visiblePx &&
    x < area.x + area.width - visiblePx &&
    y >= area.y &&
    y < area.y + area.height - visiblePx
  );
}

function stateFile(dataDir: string): string {
  return path.join(dataDir, "window.json");
}
