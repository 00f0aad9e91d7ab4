import { powerMonitor } from "electron";

/**
 * Delays a shutdown or log-out of Linux or macOS until the program has quit. Without it, macOS takes a prevented
 * `before-quit` for a refusal and cancels the log-out.
 *
 * @see https://www.electronjs.org/docs/latest/api/power-monitor#event-shutdown-linux-macos
 */
export function quitBeforeShutdown(quit: () => void): void {
  // Electron's types leave out the event.
  const monitor: NodeJS.EventEmitter = powerMonitor;
  monitor.on("shutdown", (event: { preventDefault(): void }) => {
    event.preventDefault();
    quit();
  });
}
