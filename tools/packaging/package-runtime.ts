import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createPackage } from "@electron/asar";
import { FuseState, SENTINEL } from "@electron/fuses/dist/constants.js";

/** Some of Electron's languages, including languages that Corvet does not have. */
const standInLanguages = ["de", "en-US", "fi", "fr", "ja"];

/** Number of Electron's fuses; all are off in the stand-in. */
const fuseCount = 9;

/** Cannot run, but its executable has a fuse wire, so that setting the fuses is tested. */
export async function makeStandInRuntime(folder: string, version: string): Promise<string> {
  const app = path.join(folder, "default-app");
  const runtime = path.join(folder, "runtime");
  mkdirSync(app, { recursive: true });
  mkdirSync(path.join(runtime, "resources"), { recursive: true });
  writeFileSync(path.join(app, "package.json"), JSON.stringify({ name: "default-app", main: "main.js" }));
  writeFileSync(path.join(app, "main.js"), "");
  await createPackage(app, path.join(runtime, "resources", "default_app.asar"));
  const wire = Buffer.concat([
    Buffer.from(SENTINEL),
    Buffer.from([1, fuseCount]),
    Buffer.alloc(fuseCount, FuseState.DISABLE),
  ]);
  writeFileSync(path.join(runtime, "electron"), Buffer.concat([Buffer.alloc(4096), wire, Buffer.alloc(4096)]));
  chmodSync(path.join(runtime, "electron"), 0o755);
  for (const name of ["LICENSE", "LICENSES.chromium.html", "chrome-sandbox"])
    writeFileSync(path.join(runtime, name), "");
  mkdirSync(path.join(runtime, "locales"));
  for (const name of standInLanguages) writeFileSync(path.join(runtime, "locales", `${name}.pak`), "");
  writeFileSync(path.join(runtime, "version"), version);
  return runtime;
}

/** Possible paths of a runtime's default app; a folder without one is not a runtime. */
const defaultApps = [
  path.join("resources", "default_app.asar"),
  path.join("Electron.app", "Contents", "Resources", "default_app.asar"),
];

export function findRuntime(programDir: string): string | null {
  const candidates = [
    process.env["ELECTRON_OVERRIDE_DIST_PATH"],
    path.join(programDir, "node_modules", "electron", "dist"),
  ];
  return (
    candidates.find(
      (folder) => folder !== undefined && defaultApps.some((file) => existsSync(path.join(folder, file))),
    ) ?? null
  );
}
