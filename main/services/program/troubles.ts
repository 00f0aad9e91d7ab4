import { AppError, failureOf, type Reason } from "../../../core/app-error.ts";
import type { ErrorCode } from "../../../core/contract/error-catalogue.ts";
import type { DomainEvents } from "../domain-events.ts";
import type { ServiceContext } from "../measuring/service-context.ts";

/** A current problem with record, disk or clock; removed once resolved. */
export type Trouble = ReturnType<typeof failureOf>;

/** `health` reports degraded while there are any. */
export type Troubles = ReturnType<typeof createTroubles>;

export function createTroubles(
  { log, reportFault }: Pick<ServiceContext, "log" | "reportFault">,
  raise: DomainEvents["raise"],
) {
  const standing = new Map<ErrorCode, Trouble>();
  const publishList = () => raise({ name: "troubles.changed", payload: { troubles: [...standing.values()] } });
  return {
    list: () => [...standing.values()],
    /** Notifies the user once, and again when the message changes. */
    raise(code: ErrorCode, detail?: Reason | string) {
      const trouble = failureOf(new AppError(code, detail));
      if (standing.get(code)?.message === trouble.message) return;
      standing.set(code, trouble);
      // Publish before reporting the fault, so that the page does not show it twice.
      publishList();
      reportFault(trouble);
    },
    /** Ends a trouble. `wasReported`: the user was notified although the trouble was not raised. */
    clear(code: ErrorCode, wasReported = false) {
      if (!standing.delete(code) && !wasReported) return;
      log.info({ code }, "trouble cleared");
      publishList();
    },
  };
}
