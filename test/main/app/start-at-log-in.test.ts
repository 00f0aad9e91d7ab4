import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { autostartEntry } from "../../../main/app/autostart-entry.ts";
import { isStartedAtLogIn, openStartAtLogIn } from "../../../main/app/start-at-log-in.ts";
import * as standIn from "../../fixtures/electron-stand-in.ts";
import { openBench } from "../../fixtures/desktop-bench.ts";

let home: string;
const entryFile = () => path.join(home, "autostart", "corvet.desktop");
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "corvet-autostart-"));
  vi.stubEnv("XDG_CONFIG_HOME", home);
  standIn.app.isPackaged = true;
});
afterEach(() => {
  vi.unstubAllEnvs();
  standIn.app.isPackaged = false;
  rmSync(home, { recursive: true, force: true });
});

describe("Linux", () => {
  it("writes an entry for the desktop, and takes it away", () => {
    const entry = autostartEntry(["/opt/Corvet/corvet"], process.env);
    expect(entry.isOn()).toBe(false);
    entry.turn(true);
    expect(entry.isOn()).toBe(true);
    expect(readFileSync(entryFile(), "utf8")).toBe(
      '[Desktop Entry]\nType=Application\nName=Corvet\nExec="/opt/Corvet/corvet" "--hidden"\nTerminal=false\n',
    );
    entry.turn(false);
    entry.turn(false);
    expect([entry.isOn(), existsSync(entryFile())]).toEqual([false, false]);
  });

  it("starts a program with any path", () => {
    const awkward = path.join(home, 'Dr. "Weber" $HOME `id` 100% \\ é');
    writeFileSync(awkward, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    autostartEntry([awkward], process.env).turn(true);
    const [, exec = ""] = /^Exec=(.*)$/m.exec(readFileSync(entryFile(), "utf8")) ?? [];
    // As a desktop reads it: the file's own escapes, its per cent signs, and then a shell's quotes.
    const command = exec.replaceAll("\\\\", "\\").replaceAll("%%", "%");
    expect(execFileSync("/bin/sh", ["-c", `printf '%s|' ${command}`]).toString()).toBe(`${awkward}|--hidden|`);
  });

  it("believes the desktop's own settings, which hide an entry", () => {
    const entry = autostartEntry(["/opt/corvet"], process.env);
    entry.turn(true);
    writeFileSync(entryFile(), `${readFileSync(entryFile(), "utf8")}Hidden=true\n`);
    expect(entry.isOn()).toBe(false);
  });

  it("names the AppImage, also after an update moved it", () => {
    vi.stubEnv("APPIMAGE", "/home/vet/Corvet-1.0.0.AppImage");
    openStartAtLogIn("linux")!.turn(true);
    vi.stubEnv("APPIMAGE", "/home/vet/Corvet-1.1.0.AppImage");
    openStartAtLogIn("linux");
    expect(readFileSync(entryFile(), "utf8")).toContain('Exec="/home/vet/Corvet-1.1.0.AppImage"');
  });
});

describe.each(["win32", "darwin"] as const)("%s", (platform) => {
  it("switches the system's own entry, without a window where it takes arguments", () => {
    const item = openStartAtLogIn(platform)!;
    expect(item.isOn()).toBe(false);
    item.turn(true);
    expect([item.isOn(), standIn.logInItem.args]).toEqual([true, platform === "win32" ? ["--hidden"] : undefined]);
    item.turn(false);
    expect(item.isOn()).toBe(false);
  });
});

it("shows no window when the system started the program", () => {
  expect(isStartedAtLogIn(["corvet", "--hidden"], "linux")).toBe(true);
  expect([isStartedAtLogIn(["Corvet"], "darwin"), isStartedAtLogIn(["Corvet"], "win32")]).toEqual([false, false]);
  standIn.logInItem.wasOpened = true;
  expect([isStartedAtLogIn(["Corvet"], "darwin"), isStartedAtLogIn(["Corvet"], "win32")]).toEqual([true, false]);
});

it("is no matter of a checkout or of the service", async () => {
  standIn.app.isPackaged = false;
  expect(openStartAtLogIn("linux")).toBeNull();
  const bench = await openBench({ start: false });
  try {
    expect(await bench.call("app.logIn", {})).toEqual({ startsAtLogIn: null });
    await expect(bench.call("app.saveLogIn", { startsAtLogIn: true })).rejects.toMatchObject({ code: "NOT_AVAILABLE" });
  } finally {
    await bench.remove();
  }
});
