import { tmpdir } from "node:os";
import type { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { startReceiver, type Receiver } from "../../../../main/dicom/network/receiving/receiver.ts";
import { openToAll } from "./receiver-bench.ts";
const hanging = new URL("./hanging-receiver-thread.ts", import.meta.url);

function start(watch: Parameters<typeof startReceiver>[2]): {
  readonly receiver: Receiver;
  readonly told: string[];
  readonly failed: Promise<string>;
  readonly listening: Promise<number>;
} {
  const told: string[] = [];
  const { promise: failed, resolve } = Promise.withResolvers<string>();
  const { promise: listening, resolve: listens } = Promise.withResolvers<number>();
  const note = (words: string) => void told.push(words);
  const receiver = startReceiver(
    openToAll(tmpdir()),
    {
      received: note,
      association: () => undefined,
      listening: (port) => {
        note("listening");
        listens(port);
      },
      failed: (fault) => {
        note(fault);
        resolve(fault);
      },
    },
    watch,
  );
  return { receiver, told, failed, listening };
}

test("terminates an unresponsive thread and notifies its owner", async () => {
  const { receiver, told, failed } = start({ pingMs: 50, threadFile: hanging });
  await failed;
  expect(told).toEqual(["listening", "stopped"]);
  await receiver.close();
});

test("does not terminate a responsive thread", async ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let replies = 0;
  process.once("worker", (thread: Worker) => void thread.on("message", () => (replies += 1)));
  const { receiver, told, listening } = start({ pingMs: 1000 });
  await listening;
  const before = replies;
  for (let pings = 1; pings <= 6; pings += 1) {
    vi.advanceTimersByTime(1000);
    await expect.poll(() => replies - before).toBe(pings);
  }
  expect(told).toEqual(["listening"]);
  await receiver.close();
});

test("terminates a hanging thread on close after the closing time", async () => {
  const exits: number[] = [];
  process.once("worker", (thread) => void thread.once("exit", (code) => exits.push(code)));
  const { receiver, told, listening } = start({ pingMs: 60_000, closingMs: 100, threadFile: hanging });
  await listening;
  await receiver.close();
  // Exit code 0 would be a thread that ended by itself.
  expect({ exits, told }).toEqual({ exits: [1], told: ["listening"] });
});
