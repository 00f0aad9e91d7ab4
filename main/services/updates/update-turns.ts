import { AppError, because, failureOf } from "../../../core/app-error.ts";
import type { UpdateState } from "../../../core/contract/desktop/updates.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { Shown, ShownUpdates, UpdateOrigin } from "./shown-updates.ts";
import type { AbleHost, UpdateHost } from "./update-host.ts";

/** Serializes searches and downloads. */
export function createUpdateTurns(
  { log }: Pick<DesktopContext, "log">,
  host: UpdateHost | null,
  { keys }: UpdateOrigin,
  shown: ShownUpdates,
) {
  let working: Promise<unknown> = Promise.resolve();
  const take = async (phase: Shown["phase"], work: (able: AbleHost) => Promise<Partial<Shown>>): Promise<void> => {
    let found: Partial<Shown>;
    try {
      await shown.show({ phase, outcome: null });
      found = await work(ableHost(host, keys));
    } catch (error) {
      const known = error instanceof AppError ? error : new AppError("UPDATE_FAILED", undefined, { cause: error });
      log.warn({ code: known.code, error }, "the update failed");
      found = { outcome: { kind: "failed", failure: failureOf(known) } };
    }
    await shown.show({ phase: shown.now().release === null ? "idle" : "ready", ...found });
  };
  return {
    /**
     * Runs work unless other work is in progress. Errors are shown in the state; a ready release is kept.
     *
     * @throws AppError NOT_AVAILABLE for the service
     */
    async alone(
      phase: "checking" | "fetching",
      work: (able: AbleHost) => Promise<Partial<Shown>>,
    ): Promise<UpdateState> {
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
