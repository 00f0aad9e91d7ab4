import { spawn } from "node:child_process";
import type { App } from "electron";

/**
 * Starts the program again once it has ended. Electron repeats no arguments beyond those that it is given.
 *
 * @param environment  APPIMAGE: Electron's own relauncher is inside the image, which is unmounted as the program ends
 */
export function startAgain(
  app: Pick<App, "relaunch" | "releaseSingleInstanceLock">,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const image = environment["APPIMAGE"];
  if (image === undefined) return app.relaunch({ args: [...args] });
  app.releaseSingleInstanceLock();
  spawn(image, args, { detached: true, stdio: "ignore" }).unref();
}
