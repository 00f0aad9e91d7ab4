import { afterEach, beforeEach, expect, test } from "vitest";
import { order } from "../../../../core/contract/desktop/network/orders.ts";
import { getNextOrder } from "../../../../main/services/worklist/orders/taken-orders.ts";
import { takeOrder } from "../../../../main/services/worklist/orders/take-order.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";

let bench: DesktopBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

const taken = order.parse({
  ...{
    studyInstanceUid: "1.2.3",
    accessionNumber: "A-1",
    procedureId: null,
    procedure: null,
    stepId: null,
    step: null,
  },
  ...{ station: null, modality: "DX", day: null, time: null, referrer: null },
  patient: {
    ...{
      number: "P-1",
      issuer: null,
      fullName: "Sommer^Luna",
      name: "Luna",
      owner: "Sommer",
      species: "dog",
      breed: "",
    },
    ...{ sex: null, isNeutered: null, birthDate: null },
  },
});

test.each([
  ["an hour later", "2026-11-25T10:00:00Z", true],
  ["a day later", "2026-11-26T10:00:00Z", false],
  ["after the clock, which was days ahead, was set right", "2026-11-20T09:00:00Z", false],
])("an order is the next picture's or not: %s", async (_, later, isWaiting) => {
  bench.setNow(new Date("2026-11-25T09:00:00Z"));
  await takeOrder(bench.desktop.context, taken);
  bench.setNow(new Date(later));
  expect((await getNextOrder(bench.desktop.context)) !== null).toBe(isWaiting);
});
