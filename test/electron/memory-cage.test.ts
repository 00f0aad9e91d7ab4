import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { twinArguments } from "./twin-program.ts";

const sharp = path.resolve("node_modules/sharp");
/** Prints the size of two decoded images and the increase of V8's memory by the second one [MB]. */
const script = `
  const { default: sharp } = await import(process.argv[1]);
  const create = { width: 1000, height: 1000, channels: 3, background: "red" };
  const decode = () => sharp({ create }).raw().toBuffer();
  const megabytes = () => process.memoryUsage().arrayBuffers / 1e6;
  const first = await decode();
  const before = megabytes();
  const second = await decode();
  const increase = Math.round(megabytes() - before);
  console.log(JSON.stringify([first.length / 1e6, second.length / 1e6, increase]));`;

it.runIf(process.platform === "linux" && process.arch === "x64").each([
  ["keeps an add-on's memory outside V8 in plain Node", [], 0],
  ["makes an add-on copy its memory into the cage on the twin", twinArguments().slice(0, 1), 3],
])("%s", (_title, node, copied) => {
  const args = [...node, "--input-type=module", "--eval", script, path.join(sharp, "dist", "index.mjs")];
  expect(JSON.parse(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout)).toEqual([3, 3, copied]);
});
