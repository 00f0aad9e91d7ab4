import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { folderForEach } from "../../fixtures/folders.ts";

const home = folderForEach();

/** Runs Node in the environment of a user, without variables of CI or npm scripts. */
function run(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = { ...more, HOME: home(), PATH: process.env["PATH"] ?? "", CORVET_LOG_LEVEL: "silent" };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  expect([status, stderr.includes("telemetry")]).toEqual([0, false]);
}
const traces = () =>
  readdirSync(home(), { recursive: true, encoding: "utf8" }).filter((name) => /onnxruntime/i.test(name));

it("disables the telemetry of onnxruntime, which leaves neither an identifier nor events", () => {
  run(["main/commands/corvet.ts", "measure", "test/fixtures/films/dog-01.jpg"]);
  expect(traces()).toEqual([]);
});

// On other systems the library writes elsewhere, or nothing.
it.runIf(process.platform === "linux")("would detect the telemetry of onnxruntime on Linux", () => {
  const load = `require("onnxruntime-node").InferenceSession.create("models/packs/corners-corvet/corners.onnx")`;
  // Nothing is sent here either: the proxy is a closed port.
  run(["-e", load], { https_proxy: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" });
  expect(traces()).toEqual(expect.arrayContaining([expect.stringMatching(/deviceid$/)]));
});
