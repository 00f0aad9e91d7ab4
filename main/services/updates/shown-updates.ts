import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import { isPostponed } from "../../../core/updates/update-decision.ts";
import type { ReleaseStatement } from "../../../core/updates/release-statement.ts";
import { compareVersions } from "../../../core/updates/version.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { changeOfStore } from "./decide-release.ts";
import type { UpdateHost } from "./update-host.ts";
import { getUpdateSettings } from "./update-settings.ts";

export type UpdateOrigin = { readonly keys: readonly string[]; readonly feed: string | null };

export type ReadyRelease = {
  readonly statement: ReleaseStatement;
  /** A user started the search or opened its file. */
  readonly isAsked: boolean;
};

export type Shown = Readonly<Pick<UpdateState, "phase" | "fetched" | "outcome" | "checkedAt">> & {
  readonly release: ReadyRelease | null;
};

export type ShownUpdates = ReturnType<typeof createShownUpdates>;

/** @param host  functions of the desktop program; null for the service */
export function createShownUpdates(
  { db, now, programVersion, publish, log }: DesktopContext,
  host: UpdateHost | null,
  { keys, feed }: UpdateOrigin,
) {
  let shown: Shown = { phase: "idle", fetched: 0, release: null, outcome: null, checkedAt: null };
  /** Computes the effect on the store each time, since the owner of a shared database may have migrated it. */
  const view = async ({ statement }: ReadyRelease) => {
    const { version, releasedAt, changes } = statement;
    const isOlder = compareVersions(version, programVersion) < 0;
    return { version, releasedAt, changes, isOlder, ...(await changeOfStore(db, statement)) };
  };
  const get = async (): Promise<UpdateState> => {
    const { isAutomatic, mirror, laterUntilMs } = await getUpdateSettings(db);
    const { release: ready, outcome, ...others } = shown;
    const release = ready && (await view(ready));
    const waitedForOwner = outcome?.kind === "wait" && outcome.reason === "owner";
    return {
      ...others,
      release,
      outcome: waitedForOwner && !release?.waitsForOwner ? null : outcome,
      whyNot: host === null ? "service" : host.target === null ? "not_installed" : keys.length === 0 ? "no_key" : null,
      isAutomatic,
      feed: mirror || feed,
      mirror,
      laterUntil: isPostponed(laterUntilMs, now().getTime()) ? new Date(laterUntilMs).toISOString() : null,
    };
  };
  const show = async (change: Partial<Shown>): Promise<UpdateState> => {
    shown = { ...shown, ...change };
    const state = await get();
    publish({ name: "updates.changed", payload: { state } });
    return state;
  };
  const logFault = (error: unknown) => log.error({ error }, "the state of updates could not be published");
  return { now: () => shown, get, show, showSoon: (change: Partial<Shown>) => void show(change).catch(logFault) };
}
