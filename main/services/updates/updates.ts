import { AppError, because } from "../../../core/app-error.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { laterMs } from "../../../core/updates/update-decision.ts";
import type { Changes } from "../../store/settings.ts";
import { runDaily } from "../desktop/run-daily.ts";
import { decideRelease, decisionOn } from "./decide-release.ts";
import { findOnWeb, takeFromFile } from "./find-release.ts";
import { createShownUpdates, type UpdateOrigin } from "./shown-updates.ts";
import type { UpdateHost } from "./update-host.ts";
import { changeUpdateSettings, getUpdateSettings, type UpdateSettings } from "./update-settings.ts";
import { createUpdateTurns } from "./update-turns.ts";

/** Long enough not to slow the user's first action. */
const firstLookAfterMs = 2 * 60 * 1000;

export type Updates = ReturnType<typeof createUpdates>;

/**
 * @param host      null for the service
 *
 * @param underWay  number of films, transfers and backups that must not be interrupted
 */
export function createUpdates(
  context: DesktopContext,
  host: UpdateHost | null,
  origin: UpdateOrigin,
  underWay: () => number,
) {
  const { db, now, log } = context;
  const shown = createShownUpdates(context, host, origin);
  const turns = createUpdateTurns(context, host, origin, shown);
  const finding = { context, origin, shown, underWay };
  const ready = () => shown.now().release?.statement ?? null;
  let looking: { stop(): void } | null = null;
  const check = (isAsked: boolean) =>
    turns.alone("checking", async (able) => ({
      outcome: await findOnWeb(finding, able, isAsked),
      checkedAt: now().toISOString(),
    }));
  const checkByItself = async (): Promise<void> => {
    if ((await getUpdateSettings(db)).isAutomatic && (await shown.get()).feed !== null) await check(false);
  };

  return {
    get: shown.get,
    /** Errors are in the returned state. */
    check,
    async configure({ isAutomatic, mirror }: Changes<Pick<UpdateSettings, "isAutomatic" | "mirror">>) {
      if (mirror && !mirror.startsWith("https://"))
        throw new AppError("INVALID_FIELD", because("updateMirrorNotHttps"));
      await changeUpdateSettings(db, { isAutomatic, mirror });
      return shown.show({});
    },
    async openFile() {
      const file = await host?.chooseFile();
      if (!file) return shown.get();
      return turns.alone("fetching", async (able) => {
        await takeFromFile(finding, able, file);
        return {};
      });
    },
    async later() {
      await changeUpdateSettings(db, { laterUntilMs: now().getTime() + laterMs });
      return shown.show({});
    },
    async install(isUnsaved: boolean) {
      if (host === null) throw new AppError("NOT_AVAILABLE");
      const release = ready();
      if (release === null) throw new AppError("UPDATE_REFUSED", because("updateNoneReady"));
      const decision = await decideRelease(context, release, { isAsked: true, isUnsaved, underWay: underWay() });
      if (decision.kind === "wait") return shown.show({ outcome: decision });
      const { isOlder, migrates } = decision;
      log.info({ version: release.version, isOlder, migrates }, "installing a release");
      host.restart();
      return shown.get();
    },
    /** Whether the ready release is installed when the program quits. */
    async takesAtQuit() {
      const release = ready();
      try {
        if (release === null || !(await getUpdateSettings(db)).isAutomatic) return false;
        return (await decisionOn(context, release, { isAsked: false, underWay: underWay() })).kind === "install";
      } catch (error) {
        log.error({ error }, "a release could not be checked for installation at quit");
        return false;
      }
    },
    start() {
      if (host === null || origin.keys.length === 0) return;
      const look = () =>
        void checkByItself().catch((error: unknown) => log.error({ error }, "the check for updates failed"));
      looking = runDaily(now, look, firstLookAfterMs);
    },
    async close() {
      looking?.stop();
      host?.stop();
      await turns.whenIdle();
    },
  };
}
