import type { EventHub } from "../ipc/event-hub.ts";
import type { Fault } from "../services/measuring/service-context.ts";

/** Faults kept for a page that opens later. */
const faultsKept = 100;

/** Faults of this run, newest first. */
export function createFaultList(events: EventHub) {
  const faults: Fault[] = [];
  return {
    list: (): readonly Fault[] => faults,
    report(fault: Fault) {
      faults.unshift(fault);
      faults.splice(faultsKept);
      events.publish({ name: "fault", payload: { fault } });
    },
  };
}
