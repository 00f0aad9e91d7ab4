import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let home: string;
beforeEach(() => (home = mkdtempSync(path.join(tmpdir(), "corvet-home-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A program as a person starts it: neither continuous integration nor npm scripts have prepared its environment. */
function run(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = { ...more, HOME: home, PATH: process.env["PATH"] ?? "", CORVET_LOG_LEVEL: "silent" };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  expect([status, stderr.includes("telemetry")]).toEqual([0, false]);
}
const traces = () =>
  readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => /onnxruntime/i.test(name));

it("lets the library of the networks report nothing: it leaves neither identifier nor events", () => {
  run(["main/commands/corvet.ts", "measure", "test/fixtures/films/dog-01.jpg"]);
  expect(traces()).toEqual([]);
});

// What the library does on other systems shows elsewhere, or not at all.
it.runIf(process.platform === "linux")("on Linux, would see it: the library leaves both where nobody told it", () => {
  const load = `require("onnxruntime-node").InferenceSession.create("models/packs/corners-corvet/corners.onnx")`;
  // Nothing is sent from here either: the way to the web ends at a port that is closed.
  run(["-e", load], { https_proxy: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" });
  expect(traces()).toEqual(expect.arrayContaining([expect.stringMatching(/deviceid$/)]));
});
