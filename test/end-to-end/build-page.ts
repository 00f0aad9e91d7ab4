import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { removeOldRecordings } from "../fixtures/recording/recording-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the page and the preload script if their sources are newer; programs and packages use the results. */
export async function buildPage(): Promise<void> {
  await buildIfOlder("dist/renderer/index.html", "renderer", ["renderer", "core", "docs/manual"]);
  await buildIfOlder("dist/preload/preload.cjs", "preload", ["preload", "core"]);
}

async function buildIfOlder(built: string, layer: string, sources: readonly string[]): Promise<void> {
  const file = path.join(root, built);
  if (existsSync(file) && statSync(file).mtimeMs >= Math.max(...sources.map(newestChangeMs))) return;
  // The test runner sets "test", with which React's development build would be several times slower.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  await build({
    root: path.join(root, layer),
    configFile: path.join(root, layer, "vite.config.ts"),
    logLevel: "error",
  }).finally(() => (process.env.NODE_ENV = NODE_ENV));
}

function newestChangeMs(folder: string): number {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(path.join(root, folder, file)).mtimeMs));
}

/** Runs once before all tests, as concurrent journeys must not rebuild the page. */
export const setup = buildPage;

export const teardown = removeOldRecordings;
