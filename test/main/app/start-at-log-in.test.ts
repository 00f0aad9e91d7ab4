import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { LoginItemSettingsOptions, Settings } from "electron";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { autostartEntry } from "../../../main/app/autostart-entry.ts";
import { isStartedAtLogIn, openStartAtLogIn } from "../../../main/app/start-at-log-in.ts";
import { openBench } from "../../fixtures/desktop-bench.ts";
import { folderForEach } from "../../fixtures/folders.ts";

/**
 * Simulates Electron's log-in items: an entry is a command line, which Windows can disable.
 *
 * @see https://github.com/electron/electron/blob/main/shell/browser/browser_win.cc
 */
function installed() {
  const entry = { command: "", isEnabled: false };
  const commandOf = ({ path: file = "", args = [] }: LoginItemSettingsOptions) =>
    [file.replace(/^"(.*)"$/, "$1"), ...args].map((part) => (/[ \\"]/.test(part) ? `"${part}"` : part)).join(" ");
  const programOf = (command: string) => /^"([^"]*)"|^\S*/.exec(command)?.slice(0, 2).findLast(Boolean);
  return {
    entry,
    isPackaged: true,
    getLoginItemSettings: (wanted: LoginItemSettingsOptions = {}) => ({
      openAtLogin: entry.command === (commandOf(wanted) || "the program"),
      executableWillLaunchAtLogin: entry.isEnabled && programOf(entry.command) === programOf(wanted.path ?? ""),
      wasOpenedAtLogin: false,
    }),
    setLoginItemSettings: ({ openAtLogin, ...wanted }: Settings) =>
      void Object.assign(entry, {
        command: openAtLogin ? commandOf(wanted) || "the program" : "",
        isEnabled: openAtLogin,
      }),
  };
}

const home = folderForEach();
const entryFile = () => path.join(home(), "autostart", "corvet.desktop");
beforeEach(() => {
  vi.stubEnv("XDG_CONFIG_HOME", home());
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("Linux", () => {
  it("writes and deletes an autostart entry", () => {
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
    const awkward = path.join(home(), 'Dr. "Weber" $HOME `id` 100% \\ é');
    writeFileSync(awkward, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    autostartEntry([awkward], process.env).turn(true);
    const [, exec = ""] = /^Exec=(.*)$/m.exec(readFileSync(entryFile(), "utf8")) ?? [];
    // Parsed like a desktop environment: escapes of the file, percent signs, then shell quotes.
    const command = exec.replaceAll("\\\\", "\\").replaceAll("%%", "%");
    expect(execFileSync("/bin/sh", ["-c", `printf '%s|' ${command}`]).toString()).toBe(`${awkward}|--hidden|`);
  });

  it("is off if the desktop's settings hide the entry", () => {
    const entry = autostartEntry(["/opt/corvet"], process.env);
    entry.turn(true);
    writeFileSync(entryFile(), `${readFileSync(entryFile(), "utf8")}Hidden=true\n`);
    expect(entry.isOn()).toBe(false);
  });

  it("uses the path of the AppImage, also after an update moved it", () => {
    vi.stubEnv("APPIMAGE", "/home/vet/Corvet-1.0.0.AppImage");
    const args = ["--data-dir=/Praxis Müller"];
    openStartAtLogIn(installed(), args, "linux")!.turn(true);
    vi.stubEnv("APPIMAGE", "/home/vet/Corvet-1.1.0.AppImage");
    openStartAtLogIn(installed(), args, "linux");
    expect(readFileSync(entryFile(), "utf8")).toContain(
      'Exec="/home/vet/Corvet-1.1.0.AppImage" "--data-dir=/Praxis Müller" "--hidden"',
    );
  });
});

describe.each(["win32", "darwin"] as const)("%s", (platform) => {
  it("sets the system's log-in item, which opens no window if it supports arguments", () => {
    vi.spyOn(process, "execPath", "get").mockReturnValue("C:\\Programs of Dr Weber\\Corvet.exe");
    const app = installed();
    const item = openStartAtLogIn(app, ["--data-dir=D:\\Clinic Data"], platform)!;
    expect(item.isOn()).toBe(false);
    item.turn(true);
    expect([item.isOn(), app.entry.command]).toEqual([
      true,
      platform === "win32"
        ? '"C:\\Programs of Dr Weber\\Corvet.exe" "--data-dir=D:\\Clinic Data" --hidden'
        : "the program",
    ]);
    item.turn(false);
    expect(item.isOn()).toBe(false);
  });
});

it("stays off if the settings of Windows disable the entry", () => {
  const app = installed();
  openStartAtLogIn(app, [], "win32")!.turn(true);
  app.entry.isEnabled = false;
  expect([openStartAtLogIn(app, [], "win32")!.isOn(), app.entry.isEnabled]).toEqual([false, false]);
});

it("recognises a start by the system", () => {
  const byUser = installed();
  const bySystem = { getLoginItemSettings: () => ({ ...byUser.getLoginItemSettings(), wasOpenedAtLogin: true }) };
  expect(isStartedAtLogIn(byUser, ["--hidden"], "linux")).toBe(true);
  const isHidden = (app: Parameters<typeof isStartedAtLogIn>[0]) =>
    (["darwin", "win32"] as const).map((platform) => isStartedAtLogIn(app, [], platform));
  expect([isHidden(byUser), isHidden(bySystem)]).toEqual([
    [false, false],
    [true, false],
  ]);
});

it("is not available in a checkout or in the service", async () => {
  expect(openStartAtLogIn({ ...installed(), isPackaged: false }, [], "linux")).toBeNull();
  const bench = await openBench({ start: false });
  try {
    expect(await bench.call("app.logIn", {})).toEqual({ startsAtLogIn: null });
    await expect(bench.call("app.saveLogIn", { startsAtLogIn: true })).rejects.toMatchObject({ code: "NOT_AVAILABLE" });
  } finally {
    await bench.remove();
  }
});
