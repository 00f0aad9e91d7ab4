import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { twinArguments } from "./twin-program.ts";

const sharp = path.resolve("node_modules/sharp");
/** Prints the size of a decoded image and the increase of V8's memory [bytes]. */
const script = `
  const { default: sharp } = await import(process.argv[1]);
  const decode = () => sharp({ create: { width: 1000, height: 1000, channels: 3, background: "red" } }).raw().toBuffer();
  await decode();
  const before = process.memoryUsage().arrayBuffers;
  const { length } = await decode();
  console.log(JSON.stringify([length, process.memoryUsage().arrayBuffers - before]));`;

it.runIf(process.platform === "linux" && process.arch === "x64").each([
  ["keeps an add-on's memory outside V8 in plain Node", [], 0],
  ["makes an add-on copy its memory into the cage on the twin", twinArguments().slice(0, 1), 3_000_000],
])("%s", (_title, node, copied) => {
  const args = [...node, "--input-type=module", "--eval", script, path.join(sharp, "dist", "index.mjs")];
  expect(JSON.parse(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout)).toEqual([3_000_000, copied]);
});
