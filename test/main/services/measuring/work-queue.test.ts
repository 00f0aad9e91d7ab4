// Runs once: has no store.
import { expect, test } from "vitest";
import { createWorkQueue } from "../../../../main/services/measuring/work-queue.ts";

const image = Buffer.from([0xff, 0xd8]);

function work() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end: () => end(), run: () => ended };
}

test("keeps the slot of cancelled work until it ends", async () => {
  const queue = createWorkQueue(1, 2);
  const gone = new AbortController();
  const [first, second] = [work(), work()];
  let hasBegun = false;
  const places = queue.reserve(2);
  const left = places.run(image, first.run, gone.signal);
  const waiting = places.run(image, () => ((hasBegun = true), second.run()), new AbortController().signal);
  await Promise.resolve();
  gone.abort(new Error("gone"));
  await new Promise((resolve) => setImmediate(resolve));
  expect([queue.size, hasBegun]).toEqual([2, false]);
  first.end();
  await left;
  await expect.poll(() => hasBegun).toBe(true);
  expect(queue.size).toBe(1);
  second.end();
  await waiting;
  expect(queue.size).toBe(0);
});

test("rejects waiting work as soon as it is cancelled, and never starts it", async () => {
  const queue = createWorkQueue(1, 2);
  const gone = new AbortController();
  const first = work();
  const places = queue.reserve(2);
  const going = places.run(image, first.run, new AbortController().signal);
  const left = places.run(image, () => Promise.reject(new Error("was started")), gone.signal);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(queue.size).toBe(1);
  first.end();
  await going;
});
