import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { endProcess } from "../fixtures/process/process-end.ts";

/** Hides that the tests run as root, as which Electron is not started. */
const asUser = "--import=data:text/javascript,process.getuid=()=>1000";

/** Runs `npm start`. @returns the process, which is the leader of its process group, and its output */
function start(args: readonly string[], environment: NodeJS.ProcessEnv): [child: ChildProcess, printed: () => string] {
  const child = spawn(process.execPath, [asUser, "scripts/run.mjs", "start", ...args, "--packs=no-packs"], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  return [child, () => printed];
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet start "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

describe.runIf(process.platform === "linux")("npm start without Electron", () => {
  it("opens a browser and prints the reason, without log lines, if Electron has no sandbox", async () => {
    const folder = temporaryFolder();
    const programs = path.join(folder, "bin");
    mkdirSync(programs);
    const install = (name: string, script: string) =>
      writeFileSync(path.join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    install("electron", "echo '[1:1/FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox!' >&2; kill -TRAP $$");
    install("google-chrome-stable", `printf '%s\\n' "$@" >"$0.arguments"`);
    const dataDir = path.join(folder, "data");
    const [child, printed] = start(["--data-dir", dataDir, "--port", "0"], {
      DISPLAY: ":1",
      ELECTRON_OVERRIDE_DIST_PATH: programs,
      PATH: `${programs}${path.delimiter}${process.env["PATH"]}`,
    });
    const exited = once(child, "exit");
    await expect.poll(printed).toContain("The page is open in a window of Chrome.");
    const logFile = path.join(dataDir, "logs", "corvet.log");
    await expect.poll(() => existsSync(logFile) && readFileSync(logFile, "utf8")).toMatch(/^\{/);
    process.kill(-child.pid!, "SIGINT");
    await endProcess(child, exited);
    const reason = "this system forbids Electron's sandbox (unprivileged user namespaces are off)";
    expect(
      printed()
        .split("\n")
        .filter((line) => line.startsWith("Corvet opens in a browser")),
    ).toEqual([`Corvet opens in a browser: ${reason}.`]);
    expect(printed()).not.toMatch(/^\{/m);
    expect(readFileSync(path.join(programs, "google-chrome-stable.arguments"), "utf8")).toMatch(/^--app=file:/m);
  });

  it("prints its address before it reads a file from an unresponsive disk", async () => {
    const folder = temporaryFolder();
    // Opening a named pipe for reading waits for a writer.
    const slow = path.join(folder, "slow.jpg");
    execFileSync("mkfifo", [slow]);
    const args = [slow, "--data-dir", path.join(folder, "data"), "--port", "0"];
    const [child, printed] = start(args, { DISPLAY: "", WAYLAND_DISPLAY: "" });
    const exited = once(child, "exit");
    onTestFinished(async () => {
      process.kill(-child.pid!, "SIGKILL");
      await exited;
    });
    await expect.poll(printed).toMatch(/^Open the page: https:\/\/localhost:\d+\/#t=\S+$/m);
    const isOpened = () => {
      try {
        return openSync(slow, constants.O_WRONLY | constants.O_NONBLOCK) > 0;
      } catch {
        return false;
      }
    };
    await expect.poll(isOpened).toBe(true);
  });
});
