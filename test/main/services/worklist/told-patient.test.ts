import { afterEach, beforeEach, expect, it } from "vitest";
import { saveToldPatient } from "../../../../main/services/worklist/orders/told-patient.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";

let bench: DesktopBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

it("is one patient when practice software tells of it twice at once", async () => {
  const told = { number: "P-1", name: "Rex", owner: "Weber", species: "dog", breed: "" } as const;
  const { context } = bench.desktop;
  const [one, other] = await Promise.all([saveToldPatient(context, told), saveToldPatient(context, told)]);
  expect(one).toBe(other);
  expect((await bench.call("patients.list", {})).patients).toMatchObject([{ id: one, name: "Rex", uuid: "P-1" }]);
});
