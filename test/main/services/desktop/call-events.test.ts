import { afterEach, expect, it, vi } from "vitest";
import { raiseCallEvents } from "../../../../main/services/desktop/call-events.ts";
import { reverseCharge } from "../../../../main/store/ledger/ledger.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { chargeCalls } from "../../store/record-billable-measurement.ts";

const bench = useBench();
afterEach(() => void vi.useRealTimers());

it("publishes charges and reversals to pages, batched into one event", async () => {
  const { db, now } = bench.context;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const told = () => bench.eventsOf("ledger.changed").length;
  await chargeCalls(db, 3);
  expect(told()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(told()).toBe(1);
  await reverseCharge(db, { seq: 1, note: "wrong film", at: now() });
  vi.advanceTimersByTime(1000);
  expect(told()).toBe(2);
});

it("publishes pending events as the program closes", async () => {
  const { db } = bench.context;
  const told: string[] = [];
  const end = raiseCallEvents({ db, raise: (event) => void told.push(event.name) }, bench.desktop.parts.options.usg);
  await chargeCalls(db, 1);
  end();
  expect(told).toEqual(["ledger.changed"]);
});
