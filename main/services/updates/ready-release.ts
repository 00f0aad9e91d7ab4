import { AppError, because } from "../../../core/app-error.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { installerFor, type InstallerTarget, type ReleaseStatement } from "../../../core/updates/release-statement.ts";
import type { ShownUpdates } from "./shown-updates.ts";
import type { UpdateHost } from "./update-host.ts";

/** An installed desktop program that can replace itself. */
export type AbleHost = UpdateHost & { readonly target: InstallerTarget };

export type ReadyRelease = {
  get(): ReleaseStatement | null;
  /**
   * Replaces the ready release. If its installer is already downloaded, only the statement is updated; otherwise it is
   * fetched.
   *
   * @throws AppError UPDATE_REFUSED without an installer for this platform; Error if the download fails
   */
  take(host: AbleHost, release: ReleaseStatement, found: Found): Promise<void>;
  /**
   * Drops an unrequested release that is superseded or no longer offered to this installation. A requested one is kept
   * with its new statement.
   */
  withdraw(offered: ReleaseStatement): Promise<void>;
};

/** Source of a release, and whether a user requested it. */
type Found = {
  /** Folder of its installer. */
  readonly address: string;
  readonly isFromFile: boolean;
  /** A user started the search or opened its file. */
  readonly isAsked: boolean;
};

export function createReadyRelease({ log }: Pick<DesktopContext, "log">, shown: ShownUpdates): ReadyRelease {
  let ready: { readonly release: ReleaseStatement; readonly isAsked: boolean; readonly isFromFile: boolean } | null =
    null;
  return {
    get: () => ready?.release ?? null,
    async take(host, release, { address, isFromFile, isAsked }) {
      const { version } = release;
      const file = installerFor(release, host.target);
      if (!file) throw new AppError("UPDATE_REFUSED", because("updateForOthers"));
      const before = ready !== null && installerFor(ready.release, host.target)?.sha512 === file.sha512 ? ready : null;
      if (before === null || isFromFile) {
        ready = null;
        await shown.show({ phase: "fetching", fetched: 0, release: null });
        await host.prepare(version, file, address, everyPercent(shown.showSoon));
        log.info({ version, isFromFile }, "a release is ready to install");
      }
      ready = {
        release,
        isAsked: isAsked || before?.isAsked === true,
        isFromFile: isFromFile || before?.isFromFile === true,
      };
      await shown.show({
        phase: "ready",
        outcome: null,
        release: { statement: release, isFromFile: ready.isFromFile },
      });
    },
    async withdraw(offered) {
      if (ready?.isAsked && ready.release.version === offered.version) ready = { ...ready, release: offered };
      if (ready === null || ready.isAsked) return;
      log.info({ version: ready.release.version }, "a release is no longer offered");
      ready = null;
      await shown.show({ phase: "idle", release: null });
    },
  };
}

/** Reports the downloaded fraction [0–1] once per percent. */
function everyPercent(onPercent: (change: { readonly fetched: number }) => void): (fetched: number) => void {
  let lastPercent = 0;
  return (fetched) => {
    if (Math.floor(fetched * 100) === lastPercent) return;
    lastPercent = Math.floor(fetched * 100);
    onPercent({ fetched });
  };
}
