import { expect, it } from "vitest";
import { createDecodingRoom } from "../../../main/imaging/decoding/decoding-room.ts";

function held() {
  const { promise, resolve } = Promise.withResolvers<null>();
  return { promise, end: () => resolve(null) };
}

it("runs what fits, then the smallest task first, and never exceeds its limit", async () => {
  const room = createDecodingRoom(100);
  const order: string[] = [];
  const first = held();
  const enter = (name: string, bytes: number, work: Promise<unknown> = Promise.resolve()) =>
    room.run(bytes, async () => {
      order.push(name);
      await work;
    });
  const all = [enter("first", 90, first.promise), enter("large", 95), enter("small", 10), enter("middle", 50)];
  await Promise.resolve();
  expect(order).toEqual(["first", "small"]);
  first.end();
  await Promise.all(all);
  expect(order).toEqual(["first", "small", "middle", "large"]);
});

it("rejects what never fits, and drops a waiting task that is aborted", async () => {
  const room = createDecodingRoom(100);
  await expect(room.run(101, async () => undefined)).rejects.toMatchObject({ code: "IMAGE_TOO_COSTLY" });
  const first = held();
  const running = room.run(100, () => first.promise);
  const leaving = new AbortController();
  const waiting = room.run(100, async () => "never", leaving.signal);
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
  first.end();
  await running;
  expect(await room.run(100, async () => "next")).toBe("next");
});
