import { powerMonitor } from "electron";

/**
 * Delays a shutdown or log-out on Linux or macOS until the program has quit. Without it, macOS interprets a prevented
 * `before-quit` as a refusal and cancels the log-out.
 *
 * @see https://www.electronjs.org/docs/latest/api/power-monitor#event-shutdown-linux-macos
 */
export function quitBeforeShutdown(quit: () => void): void {
  // The event is missing from Electron's types.
  const monitor: NodeJS.EventEmitter = powerMonitor;
  monitor.on("shutdown", (event: { preventDefault(): void }) => {
    event.preventDefault();
    quit();
  });
}
