import { AppError, because } from "../../../core/app-error.ts";
import { installerFor, type InstallerTarget, type ReleaseStatement } from "../../../core/updates/release-statement.ts";
import { compareVersions } from "../../../core/updates/version.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { migratesStore } from "./decide-release.ts";
import type { ShownUpdates } from "./shown-updates.ts";
import type { UpdateHost } from "./update-host.ts";

/** A desktop that is installed and can replace itself. */
export type AbleHost = UpdateHost & { readonly target: InstallerTarget };

/** The release whose installer lies ready. */
export type ReadyRelease = {
  /** null while none does. */
  get(): ReleaseStatement | null;
  /**
   * Fetches a release in the place of the one before.
   *
   * @param address  folder in which its installer lies
   * @throws AppError UPDATE_REFUSED where it has none for this machine; Error when it cannot be fetched
   */
  fetch(host: AbleHost, release: ReleaseStatement, address: string, isFromFile: boolean): Promise<void>;
};

export function createReadyRelease(
  { programVersion, log }: Pick<DesktopContext, "programVersion" | "log">,
  shown: ShownUpdates,
): ReadyRelease {
  let ready: ReleaseStatement | null = null;
  return {
    get: () => ready,
    async fetch(host, release, address, isFromFile) {
      const { version, releasedAt, changes } = release;
      const file = installerFor(release, host.target);
      if (!file) throw new AppError("UPDATE_REFUSED", because("updateForOthers"));
      ready = null;
      await shown.show({ phase: "fetching", fetched: 0, release: null });
      await host.prepare(version, file, address, everyPercent(shown.showSoon));
      ready = release;
      log.info({ version, isFromFile }, "a release lies ready");
      const isOlder = compareVersions(version, programVersion) < 0;
      await shown.show({
        phase: "ready",
        outcome: null,
        release: { version, releasedAt, changes, isOlder, migrates: migratesStore(release), isFromFile },
      });
    },
  };
}

/** Tells how much is fetched [0–1] whenever another percent is. */
function everyPercent(tell: (change: { readonly fetched: number }) => void): (fetched: number) => void {
  let toldPercent = 0;
  return (fetched) => {
    if (Math.floor(fetched * 100) === toldPercent) return;
    toldPercent = Math.floor(fetched * 100);
    tell({ fetched });
  };
}
