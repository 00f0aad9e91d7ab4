import { expect, it } from "vitest";
import { createPoller } from "../../../../main/services/desktop/poller.ts";

function counting() {
  const count = { runs: 0 };
  const poller = createPoller(
    async () => void (count.runs += 1),
    1,
    () => expect.unreachable(),
  );
  poller.start();
  return { count, poller };
}

it("polls until it is closed", async () => {
  const closed = counting();
  await expect.poll(() => closed.count.runs).toBeGreaterThan(1);
  await closed.poller.close();
  const { runs } = closed.count;
  // A later poller with the same pause shows that the time for further runs has passed.
  const later = counting();
  await expect.poll(() => later.count.runs).toBeGreaterThan(2);
  await later.poller.close();
  expect(closed.count.runs).toBe(runs);
});

it("reports a failed run and polls again", async () => {
  const faults: unknown[] = [];
  const poller = createPoller(
    () => Promise.reject(new Error("no network")),
    1,
    (error) => faults.push(error),
  );
  poller.start();
  await expect.poll(() => faults.length).toBeGreaterThan(1);
  await poller.close();
  expect(String(faults[0])).toBe("Error: no network");
});
