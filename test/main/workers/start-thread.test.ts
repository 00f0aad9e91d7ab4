import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { AppError } from "../../../core/app-error.ts";
import { startThread, ThreadEnded, threadFile } from "../../../main/workers/start-thread.ts";
import type { EchoCalls } from "./echo-thread.ts";

const start = (data?: unknown) => startThread<EchoCalls>(threadFile("echo-thread", import.meta.url), { data });
const thread = start({ cores: 2 });
afterAll(() => thread.close());

describe("a thread", () => {
  it("handles concurrent calls, each with its response", async () => {
    const requests = Array.from({ length: 20 }, (_, n) => ({ n, bytes: new Uint8Array(n) }));
    expect(await Promise.all(requests.map((request) => thread.call("echo", request)))).toEqual(requests);
  });

  it("receives the data of its start", async () => {
    expect(await thread.call("data", null)).toEqual({ cores: 2 });
  });

  it("reports progress before the response", async () => {
    const told: unknown[] = [];
    told.push(await thread.call("count", 3, { onProgress: (n) => told.push(n) }));
    expect(told).toEqual([1, 2, 3, 3]);
  });

  it("transfers buffers instead of copying them", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await thread.call("echo", bytes, { transferred: [bytes.buffer] })).toEqual(new Uint8Array([1, 2, 3]));
    expect(bytes.byteLength).toBe(0);
  });

  it("is not called after a cancellation", async () => {
    await expect(thread.call("echo", 1, { signal: AbortSignal.abort() })).rejects.toEqual(new AppError("ABORTED"));
  });
});

describe("a failure in a thread", () => {
  it("of the catalogue keeps its code", async () => {
    await expect(thread.call("refuse", null)).rejects.toEqual(new AppError("NOT_FOUND", "there is no such film"));
  });

  it("outside the catalogue keeps its message and stack", async () => {
    const error = await thread.call("fail", null).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ message: "a bug", stack: expect.stringContaining("echo-thread.ts") });
  });
});

describe("the end of a thread", () => {
  it("rejects running and later calls", async () => {
    const ending = start();
    const [first, second] = await Promise.allSettled([ending.call("hang", null), ending.call("end", null)]);
    expect([first, second]).toMatchObject([{ reason: expect.any(ThreadEnded) }, { reason: expect.any(ThreadEnded) }]);
    expect(ending.isReusable()).toBe(false);
    await expect(ending.call("echo", 1)).rejects.toBeInstanceOf(ThreadEnded);
    await ending.close();
  });

  it("reports a failed start", async () => {
    const missing = startThread<EchoCalls>(threadFile("no-such-thread", import.meta.url));
    await expect(missing.started).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/MODULE_NOT_FOUND$/) },
    });
  });

  it("keeps the program running until it has closed, even before its start", () => {
    const client = JSON.stringify(new URL("../../../main/workers/start-thread.ts", import.meta.url));
    const file = JSON.stringify(threadFile("echo-thread", import.meta.url));
    const script = `import { startThread } from ${client};
      await startThread(new URL(${file})).close();
      console.log("closed");`;
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
    expect([run.status, run.stdout]).toEqual([0, "closed\n"]);
  });

  it("finishes running calls before it closes", async () => {
    const closing = start();
    const answer = closing.call("echo", "the last one");
    await closing.close();
    expect(await answer).toBe("the last one");
  });
});
