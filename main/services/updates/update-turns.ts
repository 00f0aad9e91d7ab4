import { AppError, because, failureOf } from "../../../core/app-error.ts";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { AbleHost, ReadyRelease } from "./ready-release.ts";
import type { ShownUpdates, UpdateOrigin } from "./shown-updates.ts";
import type { UpdateHost } from "./update-host.ts";

/** Serializes searches and downloads. */
export type UpdateTurns = {
  /**
   * Runs work unless other work is in progress. Errors are shown in the state; a ready release is kept.
   *
   * @throws AppError NOT_AVAILABLE for the service
   */
  alone(phase: "checking" | "fetching", work: (host: AbleHost) => Promise<void>): Promise<UpdateState>;
  /** Resolves when no work is in progress. */
  whenIdle(): Promise<void>;
};

export function createUpdateTurns(
  host: UpdateHost | null,
  { keys }: UpdateOrigin,
  {
    shown,
    ready,
    log,
  }: { readonly shown: ShownUpdates; readonly ready: ReadyRelease; readonly log: DesktopContext["log"] },
): UpdateTurns {
  let working: Promise<unknown> = Promise.resolve();
  const take = async (phase: "checking" | "fetching", work: (able: AbleHost) => Promise<void>): Promise<void> => {
    const before = shown.now();
    try {
      await shown.show({ phase, outcome: null });
      await work(ableHost(host, keys));
    } catch (error) {
      const known = error instanceof AppError ? error : new AppError("UPDATE_FAILED", undefined, { cause: error });
      log.warn({ code: known.code, error }, "the update failed");
      const stays = ready.get() === null ? ({ phase: "idle", release: null } as const) : before;
      await shown.show({ ...before, ...stays, outcome: { kind: "failed", failure: failureOf(known) } });
    }
  };
  return {
    async alone(phase, work) {
      if (host === null) throw new AppError("NOT_AVAILABLE");
      if (["checking", "fetching"].includes(shown.now().phase)) return shown.get();
      const turn = take(phase, work);
      working = turn.catch(() => undefined);
      await turn;
      return shown.get();
    },
    whenIdle: async () => void (await working),
  };
}

function ableHost(host: UpdateHost | null, keys: readonly string[]): AbleHost {
  if (keys.length === 0) throw new AppError("UPDATE_REFUSED", because("updateKeyMissing"));
  if (host === null || !isAble(host)) throw new AppError("UPDATE_REFUSED", because("updateNotInstalled"));
  return host;
}

function isAble(host: UpdateHost): host is AbleHost {
  return host.target !== null;
}
