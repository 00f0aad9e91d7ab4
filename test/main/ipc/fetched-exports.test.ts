import { mkdirSync, readdirSync, readlinkSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { createAppResponder } from "../../../main/ipc/app-responder.ts";
import { registerAppRoutes } from "../../../main/ipc/app-routes.ts";
import { saveExport } from "../../../main/services/desktop/exports.ts";
import { ownWindow } from "../../../main/services/people/person-sessions.ts";
import { useBench } from "../../fixtures/use-bench.ts";

/** Exceeds the maximum that Node reads from a file at once. */
const largeBytes = 2 ** 31 + 5;

const bench = useBench();

const content = Buffer.from("PK, as every ZIP begins");
const exportsDir = () => path.join(bench.dataDir, "exports");
const waiting = () => readdirSync(exportsDir());

/** Exports that the process has open; empty on systems other than Linux. */
function filesHeld(): string[] {
  if (process.platform !== "linux") return [];
  const named = (descriptor: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return "";
    }
  };
  return readdirSync("/proc/self/fd")
    .map(named)
    .filter((name) => name.startsWith(exportsDir()));
}

const ways = {
  window: async () => ({
    ask: (url: string) => createAppResponder(bench.desktop)(new Request(`corvet://app${url}`)),
    close: () => Promise.resolve(),
  }),
  browser: async () => {
    const app = Fastify({ forceCloseConnections: true });
    registerAppRoutes(app, bench.desktop, {
      closing: new AbortController().signal,
      sessionOf: () => ownWindow,
    });
    const address = await app.listen({ port: 0, host: "127.0.0.1" });
    return { ask: (url: string) => fetch(`${address}${url}`), close: () => app.close() };
  },
};

/** Size of all buffers once it stays constant [bytes]. */
async function settledBuffers(): Promise<number> {
  const looks: number[] = [];
  for (;;) {
    looks.push(process.memoryUsage().arrayBuffers);
    if (looks.length >= 5 && looks.slice(-5).every((bytes) => bytes === looks.at(-1))) return looks.at(-1)!;
    // Leaves time for reading, which continues if data is still fetched.
    await delay(50);
  }
}

it.each(["window", "browser"] as const)("serves an export once in the %s, with its length", async (way) => {
  const { ask, close } = await ways[way]();
  const url = await saveExport(bench.dataDir, "zip", content);
  const answer = await ask(url);
  expect(
    ["content-length", "content-type", "content-disposition", "cache-control"].map((name) => answer.headers.get(name)),
  ).toEqual([String(content.length), "application/zip", "attachment", "no-store"]);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
  const again = await ask(url);
  expect([again.status, await again.json(), waiting()]).toMatchObject([404, { code: "NOT_FOUND" }, []]);
  await close();
});

it.each(["window", "browser"] as const)(
  "streams an export of more than 2 GiB at the speed of the %s, and releases it when the page stops reading",
  async (way) => {
    const { ask, close } = await ways[way]();
    const url = await saveExport(bench.dataDir, "zip", content);
    truncateSync(path.join(exportsDir(), path.basename(url)), largeBytes);
    const before = process.memoryUsage().arrayBuffers;
    const answer = await ask(url);
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, String(largeBytes)]);
    const reader = answer.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).subarray(0, content.length)).toEqual(content);
    expect((await settledBuffers()) - before).toBeLessThan(64e6);
    await reader.cancel();
    expect(waiting()).toEqual([]);
    await expect.poll(filesHeld).toEqual([]);
    await close();
  },
);

it("keeps an export that could not be read", async () => {
  const { ask } = await ways.window();
  const url = await saveExport(bench.dataDir, "zip", content);
  const file = path.join(exportsDir(), path.basename(url));
  rmSync(file);
  mkdirSync(file);
  const answer = await ask(url);
  expect([answer.status, await answer.json(), waiting()]).toMatchObject([
    500,
    { code: "INTERNAL" },
    [path.basename(url)],
  ]);
});
