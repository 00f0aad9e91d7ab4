import { afterEach, expect, it, vi } from "vitest";
import { recordBillableMeasurement } from "../../store/record-billable-measurement.ts";
import { raiseCallEvents } from "../../../../main/services/desktop/call-events.ts";
import { reverseCharge } from "../../../../main/store/ledger/ledger.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { meteredCall } from "../../store/sample-store.ts";

const bench = useBench();
afterEach(() => void vi.useRealTimers());

it("publishes charges and reversals to pages, batched into one event", async () => {
  const { db, now } = bench.context;
  const { id: accountId } = await ensureAccount(db, { name: "Clinic", at: now() });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const told = () => bench.eventsOf("ledger.changed").length;
  for (let call = 0; call < 3; call += 1)
    await recordBillableMeasurement(db, meteredCall({ accountId, at: now() }), ({ message }) =>
      expect.unreachable(message),
    );
  expect(told()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(told()).toBe(1);
  await reverseCharge(db, { seq: 1, note: "wrong film", at: now() });
  vi.advanceTimersByTime(1000);
  expect(told()).toBe(2);
});

it("publishes pending events as the program closes", async () => {
  const { db, now } = bench.context;
  const told: string[] = [];
  const end = raiseCallEvents({ db, raise: (event) => void told.push(event.name) }, bench.desktop.parts.options.usg);
  const { id: accountId } = await ensureAccount(db, { name: "Clinic", at: now() });
  await recordBillableMeasurement(db, meteredCall({ accountId, at: now() }), ({ message }) =>
    expect.unreachable(message),
  );
  end();
  expect(told).toEqual(["ledger.changed"]);
});
