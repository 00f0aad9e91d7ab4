import type { DesktopResponse } from "../../core/contract/desktop.ts";
import type { EventHub } from "../ipc/event-hub.ts";
import type { Fault, ServiceContext } from "../services/measuring/service-context.ts";

/** Maximum number of faults kept for pages that open later. */
const faultsKept = 100;

/** Logs faults, shows them in the pages, and keeps those of this run, newest first. */
export function createFaults(events: EventHub, { log, now }: Pick<ServiceContext, "log" | "now">) {
  const faults: DesktopResponse<"app.faults">["faults"] = [];
  return {
    list: () => [...faults],
    report(reported: Fault) {
      const fault = { ...reported, at: now().toISOString() };
      log.error({ code: fault.code }, fault.message);
      faults.unshift(fault);
      faults.splice(faultsKept);
      events.publish({ name: "fault", payload: { fault } });
    },
  };
}
