import type { Failure } from "../../../core/contract/desktop/shapes.ts";
import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** A current problem with record, disk or clock; removed once resolved. */
export type Trouble = Omit<Failure, "code"> & { readonly code: ErrorCode };

/** Current troubles; `health` reports degraded while there are any. */
export type Troubles = {
  list(): readonly Trouble[];
  /** Notifies the user and logs once, and again when the message changes. */
  raise(trouble: Trouble): void;
  /** Ends a trouble. `wasReported`: the user was notified although the trouble was not raised. */
  clear(code: ErrorCode, wasReported?: boolean): void;
  /** Calls the listener with the full list on every change; replaces the previous listener. */
  follow(listener: (troubles: readonly Trouble[]) => void): void;
};

export function createTroubles({ log, reportFault }: Pick<ServiceContext, "log" | "reportFault">): Troubles {
  const standing = new Map<ErrorCode, Trouble>();
  let notify: (troubles: readonly Trouble[]) => void = () => undefined;
  return {
    list: () => [...standing.values()],
    raise(trouble) {
      if (standing.get(trouble.code)?.message === trouble.message) return;
      standing.set(trouble.code, trouble);
      // Publish before reporting the fault, so that the page does not show it twice.
      notify([...standing.values()]);
      reportFault(trouble);
    },
    clear(code, wasReported = false) {
      if (!standing.delete(code) && !wasReported) return;
      log.info({ code }, "trouble cleared");
      notify([...standing.values()]);
    },
    follow(listener) {
      notify = listener;
    },
  };
}
