import { app, dialog, session } from "electron";
import type { Log } from "../../services/measuring/service-context.ts";
import { updateFileExtension } from "../../services/updates/release-origin.ts";
import type { UpdateHost } from "../../services/updates/update-host.ts";
import type { ReleaseInstaller } from "./release-installer.ts";

type UpdateActions = {
  /** Words of the dialog, in the language of the moment. */
  texts(): Promise<{ readonly chooseFile: string; readonly fileKind: string }>;
  restart(): void;
  /** The installer did not run after window and service were closed. */
  onFault(): void;
};

/** Updates as Electron makes them possible; a checkout looks for none and replaces nothing. */
export async function openElectronUpdates(
  log: Log,
  { texts, restart, onFault }: UpdateActions,
): Promise<UpdateHost & Pick<ReleaseInstaller, "install">> {
  const installer = app.isPackaged
    ? (await import("./release-installer.ts")).createReleaseInstaller(log, onFault)
    : notInstalled;
  return {
    ...installer,
    // Apart from the page's session, in which nothing is ever loaded from elsewhere.
    fetch: (address, signal) => session.fromPartition("updates", { cache: false }).fetch(address, { signal }),
    restart,
    async chooseFile() {
      const { chooseFile, fileKind } = await texts();
      const { filePaths } = await dialog.showOpenDialog({
        title: chooseFile,
        properties: ["openFile"],
        filters: [{ name: fileKind, extensions: [updateFileExtension] }],
      });
      return filePaths[0] ?? null;
    },
  };
}

const notInstalled: ReleaseInstaller = {
  target: null,
  prepare: () => Promise.reject(new Error("this copy was not installed")),
  stop: () => undefined,
  install: () => undefined,
};
