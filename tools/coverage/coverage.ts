/**
 * Runs the quick and slow tests, or those that the arguments select, and prints the line coverage of each layer: in
 * workers, in processes that tests start, and in the page. Fails below the floors.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { addPages, addProcesses, linesOfWorkers, type FileLines } from "./covered-lines.ts";

const root = path.join(import.meta.dirname, "..", "..");
const pageDir = path.join(root, "dist", "renderer");
/** Minimum line coverage [%]. */
const floors = { core: 95, main: 88, renderer: 80 };

function run(program: string, args: readonly string[], folder: string): number {
  const file = path.join(root, "node_modules", program);
  const env = { ...process.env, CORVET_COVERAGE: folder };
  return spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: "inherit", env }).status ?? 1;
}

const linesOfLayer = (files: Map<string, FileLines>, layer: string): boolean[] =>
  [...files].filter(([file]) => file.startsWith(path.join(root, layer) + path.sep)).flatMap(([, lines]) => [...lines.values()]);

const folder = mkdtempSync(path.join(tmpdir(), "corvet-coverage-"));
for (const part of ["processes", "pages"]) mkdirSync(path.join(folder, part));
run("vite/bin/vite.js", ["build", "--config", "renderer/vite.config.ts", "--sourcemap", "--logLevel", "error"], folder);
const args = process.argv.slice(2);
const projects = args.includes("--project") ? [] : ["--project", "quick*", "--project", "slow*"];
const config = ["--config", "tools/coverage/vitest.config.mjs", "--root", root];
const tests = run("vitest/vitest.mjs", ["run", ...config, ...projects, ...args], folder);
const files = linesOfWorkers(path.join(folder, "workers"));
addProcesses(files, path.join(folder, "processes"));
addPages(files, path.join(folder, "pages"), pageDir);
let isLow = false;
for (const [layer, floor] of Object.entries(floors)) {
  const lines = linesOfLayer(files, layer);
  const share = (100 * lines.filter(Boolean).length) / lines.length;
  isLow ||= share < floor;
  process.stdout.write(`${layer.padEnd(10)}${share.toFixed(1)} % of ${lines.length} lines (floor ${floor} %)\n`);
}
rmSync(folder, { recursive: true });
// This build of the page has source maps, which are needed only here.
rmSync(pageDir, { recursive: true });
process.exit(isLow ? 1 : tests);
