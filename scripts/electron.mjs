import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Pause after a failed download [ms]. */
const downloadPauseMs = 24 * 60 * 60 * 1000;
/** Time limits of the download and of the start of an empty window [ms]. */
const downloadMs = 300_000;
const probeMs = 60_000;

const probe = fileURLToPath(new URL("electron-probe.mjs", import.meta.url));

/**
 * Finds an Electron that can open a window on this system. Downloads Electron if it is missing, then opens an empty
 * window with it.
 *
 * @param {object} system
 * @param {string} system.modules      node_modules
 * @param {string} system.node         runs Electron's installer
 * @param {NodeJS.Platform} system.platform
 * @param {NodeJS.ProcessEnv} system.environment
 * @param {number | undefined} system.userId  0 is root
 * @param {(text: string) => void} system.say  prints progress
 * @returns {{ file: string } | { reason: string }} the executable, or the reason for its absence
 */
export function findElectron(system) {
  const { platform, environment, userId } = system;
  if (platform === "linux" && !environment.DISPLAY && !environment.WAYLAND_DISPLAY)
    return { reason: "this system has no display" };
  if (platform === "linux" && userId === 0) return { reason: "Electron does not run as root" };
  const file = electronFile(system) ?? downloadElectron(system);
  if (file === null) return { reason: "the Electron runtime could not be downloaded" };
  const fault = faultOfElectron(file, environment);
  return fault === null ? { file } : { reason: fault };
}

function electronFile({ modules, platform, environment }) {
  const name = { win32: "electron.exe", darwin: "Electron.app/Contents/MacOS/Electron" }[platform] ?? "electron";
  const override = environment.ELECTRON_OVERRIDE_DIST_PATH;
  // The installer writes path.txt last.
  if (!override && !existsSync(path.join(modules, "electron", "path.txt"))) return null;
  const file = path.join(override || path.join(modules, "electron", "dist"), name);
  return existsSync(file) ? file : null;
}

/** Downloads Electron. A failed download is recorded in a file with the version. */
function downloadElectron(system) {
  const { modules, node, environment, say } = system;
  const installer = path.join(modules, "electron", "install.js");
  if (!existsSync(installer)) return null;
  const { version } = JSON.parse(readFileSync(path.join(modules, "electron", "package.json"), "utf8"));
  const failure = path.join(modules, ".cache", "electron-download-failed");
  const failed = statSync(failure, { throwIfNoEntry: false });
  const isRecent = failed && Date.now() - failed.mtimeMs < downloadPauseMs;
  if (isRecent && readFileSync(failure, "utf8") === version) return null;
  say("Downloading the Electron runtime (once) …");
  spawnSync(node, [installer], { env: environment, stdio: "ignore", timeout: downloadMs });
  const file = electronFile(system);
  try {
    mkdirSync(path.dirname(failure), { recursive: true });
    if (file === null) writeFileSync(failure, version);
    else rmSync(failure, { force: true });
  } catch {
    // node_modules is not writable for this user, so each start tries the download.
  }
  return file;
}

/**
 * Returns the reason why an Electron cannot open a window, or null. `--version` would not be sufficient: it ends before
 * the display, the GPU process and the first renderer are started.
 */
export function faultOfElectron(file, environment, timeoutMs = probeMs) {
  const userData = mkdtempSync(path.join(tmpdir(), "corvet-electron-probe-"));
  try {
    const { status, signal, error, stderr } = spawnSync(file, [`--user-data-dir=${userData}`, probe], {
      encoding: "utf8",
      env: environment,
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    if (status === 0) return null;
    if (error && "code" in error && error.code === "ETIMEDOUT") return "Electron did not open a window in time";
    return reasonOf(stderr ?? "") ?? `Electron ended with ${status ?? signal ?? error?.message}`;
  } finally {
    rmSync(userData, { recursive: true, force: true, maxRetries: 3 });
  }
}

const missingLibrary = /error while loading shared libraries: ([^:\s]+)/;

/** Derives the reason from the output of Electron, Chromium or the dynamic loader; null if unknown. */
function reasonOf(output) {
  const library = missingLibrary.exec(output)?.[1];
  if (library) return `Electron needs ${library}, which is not installed`;
  if (/No usable sandbox|SUID sandbox helper|namespace sandbox/i.test(output))
    return "this system forbids Electron's sandbox (unprivileged user namespaces are off)";
  if (/Missing X server|cannot open display|Failed to connect to Wayland/i.test(output))
    return "Electron cannot open the display";
  return null;
}
