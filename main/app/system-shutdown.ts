import { powerMonitor } from "electron";

/** Without it, macOS takes a prevented `before-quit` for a refusal. @see Electron's powerMonitor, `shutdown` */
export function quitBeforeShutdown(quit: () => void): void {
  // The event is missing from Electron's types.
  const monitor: NodeJS.EventEmitter = powerMonitor;
  monitor.on("shutdown", (event: { preventDefault(): void }) => {
    event.preventDefault();
    quit();
  });
}
