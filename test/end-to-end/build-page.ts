import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { recordingFolder } from "../fixtures/recording/recording-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the page if its sources are newer; the service serves it from there, and packages contain it. */
export async function buildPage(): Promise<void> {
  const page = path.join(root, "dist/renderer/index.html");
  const isBuilt =
    existsSync(page) &&
    statSync(page).mtimeMs >=
      Math.max(newestChangeMs("renderer"), newestChangeMs("core"), newestChangeMs("docs/manual"));
  if (isBuilt) return;
  // The runner sets "test", which would build React's development page, several times as slow as the shipped one.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  await build({
    root: path.join(root, "renderer"),
    configFile: path.join(root, "renderer/vite.config.ts"),
    logLevel: "error",
  }).finally(() => (process.env.NODE_ENV = NODE_ENV));
}

function newestChangeMs(folder: string): number {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(path.join(root, folder, file)).mtimeMs));
}

/** Runs before all tests: concurrent journeys must not rebuild the page under each other. */
export const setup = buildPage;

export function teardown(): void {
  rmSync(recordingFolder(), { recursive: true, force: true });
}
