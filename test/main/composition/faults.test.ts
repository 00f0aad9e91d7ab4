import { expect, it } from "vitest";
import { createFaults } from "../../../main/composition/faults.ts";
import { createEventHub } from "../../../main/ipc/event-hub.ts";
import { writtenLog } from "../../fixtures/written-log.ts";

it("keeps faults for a page that opens later, newest first, and publishes and logs them", () => {
  const { log, logged } = writtenLog();
  const events = createEventHub(log);
  const published: string[] = [];
  events.subscribe(({ name }) => void published.push(name));
  const faults = createFaults(events, { log, now: () => new Date("2026-11-21T09:00:00Z") });
  for (const code of ["A", "B"]) faults.report({ code, message: code });
  expect(faults.list()).toEqual(["B", "A"].map((code) => ({ code, message: code, at: "2026-11-21T09:00:00.000Z" })));
  expect([published, logged.length]).toEqual([["fault", "fault"], 2]);
});
