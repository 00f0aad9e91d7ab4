import electronUpdater, {
  Provider,
  type AppUpdater,
  type ResolvedUpdateFileInfo,
  type UpdateInfo,
} from "electron-updater";
import type { ProviderRuntimeOptions } from "electron-updater/out/providers/Provider.js";
import type { InstallerFile, InstallerTarget } from "../../../core/updates/release-statement.ts";
import type { Log } from "../../services/measuring/service-context.ts";
import type { UpdateHost } from "../../services/updates/update-host.ts";

/** Downloads and runs installers with electron-updater. The caller decides which release is installed, and when. */
export type ReleaseInstaller = Pick<UpdateHost, "target" | "prepare" | "stop"> & {
  /** Runs the prepared installer and quits Electron. @param isRestarting  whether to start the new version */
  install(isRestarting: boolean): void;
};

type OneFile = { readonly version: string; readonly file: InstallerFile; readonly address: string };

/** Provider of one file of a signed statement. electron-updater's unsigned `latest.yml` is never read. */
function providerOf({ version, file, address }: OneFile) {
  const stated = { url: file.name, sha512: file.sha512, size: file.sizeBytes };
  return class extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
    }
    override getLatestVersion(): Promise<UpdateInfo> {
      return Promise.resolve({ version, files: [stated], path: file.name, sha512: file.sha512, releaseDate: "" });
    }
    override resolveFiles(): ResolvedUpdateFileInfo[] {
      return [{ url: new URL(encodeURIComponent(file.name), address), info: stated }];
    }
  };
}

/** Must be called only if the program is installed. `onFault`: the installer does not run after `install`. */
export function createReleaseInstaller(
  log: Log,
  onFault: () => void,
  updater: AppUpdater = electronUpdater.autoUpdater,
): ReleaseInstaller {
  let cancel: (() => void) | null = null;
  let isInstalling = false;
  updater.logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  // The caller decides which release is installed, including downgrades.
  updater.allowDowngrade = true;
  updater.isUserWithinRollout = () => true;
  // The signed hash covers the whole file, and block maps for differential downloads are not signed.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.on("error", (error) => {
    log.warn({ cause: error.message }, "updater");
    if (isInstalling) onFault();
  });
  return {
    target: updater.isUpdaterActive() ? targetOf(updater) : null,
    async prepare(version, file, address, onFetched) {
      const onProgress = ({ percent }: { readonly percent: number }) => onFetched(percent / 100);
      updater.setFeedURL({ provider: "custom", updateProvider: providerOf({ version, file, address }) });
      updater.on("download-progress", onProgress);
      try {
        const found = await updater.checkForUpdates();
        const token = found?.cancellationToken;
        if (!found?.isUpdateAvailable || !token) throw new Error("electron-updater rejected the release");
        cancel = () => token.cancel();
        await updater.downloadUpdate(token);
      } finally {
        cancel = null;
        updater.removeListener("download-progress", onProgress);
      }
    },
    stop: () => cancel?.(),
    install(isRestarting) {
      isInstalling = true;
      updater.autoRunAppAfterInstall = isRestarting;
      updater.quitAndInstall(true, isRestarting);
    },
  };
}

const { NsisUpdater, MacUpdater, AppImageUpdater, DebUpdater } = electronUpdater;

function targetOf(updater: AppUpdater): InstallerTarget | null {
  const { arch } = process;
  if (arch !== "x64" && arch !== "arm64") return null;
  if (updater instanceof NsisUpdater) return { platform: "win32", arch, kind: "nsis" };
  if (updater instanceof MacUpdater) return { platform: "darwin", arch, kind: "zip" };
  if (updater instanceof AppImageUpdater) return { platform: "linux", arch, kind: "AppImage" };
  return updater instanceof DebUpdater ? { platform: "linux", arch, kind: "deb" } : null;
}
