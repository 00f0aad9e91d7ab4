import { app, dialog, session } from "electron";
import type { Log } from "../../services/measuring/service-context.ts";
import { updateFileExtension } from "../../services/updates/release-origin.ts";
import type { UpdateHost } from "../../services/updates/update-host.ts";
import type { ReleaseInstaller } from "./release-installer.ts";

type UpdateActions = {
  texts(): Promise<{ readonly chooseFile: string; readonly fileKind: string }>;
  restart(): void;
  onFault(): void;
};

/** Opens the updates of an installed program. A checkout neither checks for updates nor installs them. */
export async function openElectronUpdates(
  log: Log,
  { texts, restart, onFault }: UpdateActions,
): Promise<UpdateHost & Pick<ReleaseInstaller, "install">> {
  const installer = app.isPackaged
    ? (await import("./release-installer.ts")).createReleaseInstaller(log, onFault)
    : notInstalled;
  return {
    ...installer,
    // Uses a separate session, since that of the page blocks all remote content.
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
  prepare: () => Promise.reject(new Error("Corvet runs from a checkout and cannot be updated")),
  stop: () => undefined,
  install: () => undefined,
};
