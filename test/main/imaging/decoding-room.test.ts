import { expect, it } from "vitest";
import { createDecodingRoom } from "../../../main/imaging/decoding/decoding-room.ts";

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<null>();
  return { promise, end: () => resolve(null) };
}

it("lets in what fits, then the smallest first, and never more than its limit", async () => {
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

it("refuses what never fits, and forgets who went away while waiting", async () => {
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
