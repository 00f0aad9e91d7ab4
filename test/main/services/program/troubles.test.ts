// Runs once: uses no store.
import { because } from "../../../../core/app-error.ts";
import { expect, test } from "vitest";
import type { Fault } from "../../../../main/services/measuring/service-context.ts";
import { startDiskWatch } from "../../../../main/services/program/watches/disk-watch.ts";
import { createTroubles, type Troubles } from "../../../../main/services/program/troubles.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test.each([
  [2_000_000_000, [], []],
  [900_000_000, ["Only 900 MB"], []],
  [150_000_000, ["Only 150 MB"], ["LOW_SPACE"]],
])("reports for %i free bytes: %j, with the present problems %j", async (free, told, standing) => {
  const faults: Fault[] = [];
  const context = {
    dataDir: "/data",
    log: silent,
    reportFault: (fault: Fault) => void faults.push(fault),
  };
  const troubles = createTroubles(context, () => undefined);
  const watch = await startDiskWatch(context, troubles, { freeBytes: () => Promise.resolve(free) });
  watch.stop();
  expect([faults.map(({ message }) => message.slice(0, 11)), troubles.list().map(({ code }) => code)]).toEqual([
    told,
    standing,
  ]);
});

test("states what needs disk space if the store is in a database", async () => {
  const context = { dataDir: "/data", log: silent, reportFault: () => undefined };
  const troubles = createTroubles(context, () => undefined);
  const options = { isBesideDatabase: true, freeBytes: () => Promise.resolve(1) };
  (await startDiskWatch(context, troubles, options)).stop();
  expect(troubles.list()).toMatchObject([{ code: "LOW_SPACE", reason: because("lowSpaceBesideDatabase") }]);
});

test("reports a problem once until it is cleared", () => {
  const faults: string[] = [];
  const reportFault = ({ message }: Fault) => void faults.push(message);
  const troubles = createTroubles({ log: silent, reportFault }, () => undefined);
  troubles.raise("CLOCK_BEHIND", "behind");
  troubles.raise("CLOCK_BEHIND", "behind");
  troubles.clear("CLOCK_BEHIND");
  troubles.raise("CLOCK_BEHIND", "behind");
  expect([faults, troubles.list().length]).toEqual([["behind", "behind"], 1]);
});

test("publishes the list of present problems before the fault, and when a problem is cleared", () => {
  const told: string[][] = [];
  const context = { log: silent, reportFault: () => void told.push(["fault"]) };
  const troubles: Troubles = createTroubles(context, () => void told.push(troubles.list().map(({ code }) => code)));
  troubles.raise("LOW_SPACE", "low");
  troubles.clear("LOW_SPACE");
  troubles.clear("LOW_SPACE");
  expect(told).toEqual([["LOW_SPACE"], ["fault"], []]);
});
