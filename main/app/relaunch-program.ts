import { spawn } from "node:child_process";
import type { App } from "electron";

/** With APPIMAGE, starts the image: Electron's relauncher is inside the image, which is unmounted on exit. */
export function relaunchProgram(
  app: Pick<App, "relaunch" | "releaseSingleInstanceLock">,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const image = environment["APPIMAGE"];
  if (image === undefined) return app.relaunch({ args: [...args] });
  app.releaseSingleInstanceLock();
  const started = spawn(image, args, { detached: true, stdio: "ignore" });
  // The file may have been moved; without a listener, the error would interrupt the quitting program.
  started.on("error", () => undefined).unref();
}
