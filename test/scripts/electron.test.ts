import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultOfElectron, findElectron } from "../../scripts/electron.mjs";

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet electron "));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(file: string, script: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const find = (more: { environment?: NodeJS.ProcessEnv; userId?: number } = {}) =>
  findElectron({
    modules: folder,
    node: process.execPath,
    platform: "linux",
    environment: { ...process.env, DISPLAY: ":1", ELECTRON_OVERRIDE_DIST_PATH: "", ...more.environment },
    userId: more.userId ?? 1000,
    say: (text) => said.push(text),
  });

describe.skipIf(process.platform === "win32")("Electron's runtime", () => {
  it.each([
    [
      "echo 'electron: error while loading shared libraries: libgtk-3.so.0: cannot open shared object file' >&2; exit 127",
      "Electron needs libgtk-3.so.0, which is not installed",
    ],
    [
      "echo '[1:1/FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! If you are running on Ubuntu 23.10+' >&2; kill -TRAP $$",
      "this system forbids Electron's sandbox (unprivileged user namespaces are off)",
    ],
    [
      "echo '[1:1/FATAL:setuid_sandbox_host.cc(163)] The SUID sandbox helper binary was found, but is not configured correctly.' >&2; kill -TRAP $$",
      "this system forbids Electron's sandbox (unprivileged user namespaces are off)",
    ],
    [
      "echo '[1:1/ERROR:ozone_platform_x11.cc(245)] Missing X server or $DISPLAY' >&2; kill -SEGV $$",
      "Electron cannot open the display",
    ],
    ["kill -TRAP $$", "Electron ended with SIGTRAP"],
    ["exit 3", "Electron ended with 3"],
    ["exec sleep 600", "Electron did not open a window in time"],
    ["exit 0", null],
  ])("is rejected with the reason why it cannot open a window: %s", (script, reason) => {
    const file = install(path.join(folder, "electron"), script);
    expect(faultOfElectron(file, process.env, reason?.includes("in time") ? 200 : 60_000)).toBe(reason);
  });

  it("is tested with a script that opens a window", () => {
    const dist = path.join(folder, "dist");
    install(path.join(dist, "electron"), `for last; do :; done; [ -f "$last" ] && grep -q BrowserWindow "$last"`);
    expect(find({ environment: { ELECTRON_OVERRIDE_DIST_PATH: dist } })).toEqual({ file: path.join(dist, "electron") });
  });

  it("is neither downloaded nor started without a display or as root", () => {
    expect([find({ environment: { DISPLAY: "", WAYLAND_DISPLAY: "" } }), find({ userId: 0 }), said]).toEqual([
      { reason: "this system has no display" },
      { reason: "Electron does not run as root" },
      [],
    ]);
  });

  it("is downloaded again a day after a failed download, and at once for another version", () => {
    const electron = path.join(folder, "electron");
    const version = (text: string) =>
      writeFileSync(path.join(electron, "package.json"), JSON.stringify({ version: text }));
    mkdirSync(electron);
    version("1.0.0");
    writeFileSync(path.join(electron, "install.js"), "process.exit(1)");
    const attempts = () => (find(), said.length);
    expect([attempts(), attempts()]).toEqual([1, 1]);
    version("1.0.1");
    expect([attempts(), attempts()]).toEqual([2, 2]);
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(path.join(folder, ".cache", "electron-download-failed"), yesterday, yesterday);
    writeFileSync(
      path.join(electron, "install.js"),
      `const fs = require("fs"); fs.mkdirSync(__dirname + "/dist");
      fs.writeFileSync(__dirname + "/dist/electron", "#!/bin/sh\\nexit 0\\n", { mode: 0o755 });
      fs.writeFileSync(__dirname + "/path.txt", "electron");`,
    );
    expect([find(), said.length]).toEqual([{ file: path.join(electron, "dist", "electron") }, 3]);
  });
});
