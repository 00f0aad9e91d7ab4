import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { singleResult } from "../core/contract/v3/predict.ts";
import { folderForFile } from "./fixtures/folders.ts";

const root = path.resolve(import.meta.dirname, "..");
const readme = readFileSync(path.join(root, "README.md"), "utf8");
const dataDir = folderForFile();
let service: ChildProcess;
let port = 0;

function block(containing: string): string {
  const found = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map((match) => match[1] ?? "")
    .find((text) => text.includes(containing));
  if (!found) throw new Error(`the README has no block with ${containing}`);
  return found.replaceAll("corvet-data", dataDir).replaceAll(":7443", `:${port}`);
}

beforeAll(async () => {
  service = spawn("sh", ["-c", `exec ${block("npm run serve").trim()} --port 0`], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  await new Promise((resolve, reject) => {
    // npm prints its own lines first.
    service.stdout?.on("data", (text: Buffer) => text.includes("listens on") && resolve(undefined));
    service.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  port = (JSON.parse(readFileSync(path.join(dataDir, "server.json"), "utf8")) as { port: number }).port;
});
afterAll(() => {
  if (service.pid) process.kill(-service.pid, "SIGKILL");
});

it("shows a first call that measures a film", () => {
  const run = spawnSync("sh", ["-c", block("/v3/predict")], { cwd: root, encoding: "utf8" });
  expect(run.status).toBe(0);
  expect(singleResult.parse(JSON.parse(run.stdout))).toMatchObject({
    vhs: expect.any(Number),
    billing: { billable: true, call_type: "single" },
  });
});
