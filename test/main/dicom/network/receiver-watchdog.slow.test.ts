import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startReceiver, type Receiver } from "../../../../main/dicom/network/receiving/receiver.ts";
import { openToAll } from "./receiver-bench.ts";
const hanging = new URL("./hanging-receiver-thread.ts", import.meta.url);

/** Starts a receiver and collects its events as texts. */
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
  const { receiver, told, failed } = start({ pingMs: 200, threadFile: hanging });
  await failed;
  expect(told).toEqual(["listening", "stopped"]);
  await receiver.close();
});

test("does not terminate a responsive thread", async () => {
  const { receiver, told, listening } = start({ pingMs: 3000 });
  await listening;
  await delay(7500);
  expect(told).toEqual(["listening"]);
  await receiver.close();
});

test("terminates a hanging thread on close after the closing time", async () => {
  const exits: number[] = [];
  process.once("worker", (thread) => void thread.once("exit", (code) => exits.push(code)));
  const { receiver, told, listening } = start({ pingMs: 60_000, closingMs: 300, threadFile: hanging });
  await listening;
  await receiver.close();
  // Exit code 0 would be a thread that ended by itself.
  expect({ exits, told }).toEqual({ exits: [1], told: ["listening"] });
});
