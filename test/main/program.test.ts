import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { commandLine, defaultDataDir, recoveryCommand } from "../../main/program.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe("commandLine", () => {
  it.each([
    ["a checkout", undefined, "/var/lib/corvet-keys", "npx corvet people"],
    ["the service's package", "1", "/var/lib/corvet-keys", "sudo corvet people"],
    ["the package run by a user", "1", undefined, "corvet people"],
  ])("returns the command that reaches the store in use for %s", (_, packaged, keysDir, typed) => {
    vi.stubEnv("CORVET_PACKAGED", packaged);
    vi.stubEnv("CORVET_KEYS_DIR", keysDir);
    expect(commandLine("people")).toBe(typed);
  });

  it("names the data directory", () => {
    vi.stubEnv("CORVET_PACKAGED", undefined);
    const typed = 'npx corvet encryption unlock --data-dir "/my \\$data"';
    expect(commandLine("encryption unlock", "/my $data")).toBe(typed);
  });

  it("omits sudo in the container", () => {
    vi.stubEnv("CORVET_PACKAGED", "1");
    vi.stubEnv("CORVET_KEYS_DIR", "/var/lib/corvet-keys");
    const file = readFileSync("build/service/Containerfile", "utf8");
    for (const [, name = "", value] of file.matchAll(/^ENV (\w+)=(\S+)$/gm)) vi.stubEnv(name, value);
    expect(commandLine("people")).toBe("corvet people");
  });
});

describe("recoveryCommand", () => {
  const windows = String.raw`C:\Users\Jörg\AppData\Local\Programs\corvet\Corvet.exe`;
  const spaced = windows.replace("Jörg", "Jörg Weber");
  const elsewhere = String.raw`C:\Program Files (x86)\Corvet\Corvet.exe`;

  it.each([
    ["win32", windows, undefined, `${windows} --sign-in-off`],
    // The same in PowerShell and in the command prompt.
    ["win32", spaced, undefined, `cmd /c call "${spaced}" --sign-in-off`],
    ["win32", elsewhere, undefined, `cmd /c call "${elsewhere}" --sign-in-off`],
    [
      "darwin",
      "/Applications/Corvet.app/Contents/MacOS/Corvet",
      undefined,
      "/Applications/Corvet.app/Contents/MacOS/Corvet --sign-in-off",
    ],
    [
      "linux",
      "/tmp/.mount_corvet/corvet",
      "/home/vet/Corvet 1.AppImage",
      '"/home/vet/Corvet 1.AppImage" --sign-in-off',
    ],
  ])("names the path of the desktop program on %s: %s, %s", (platform, execPath, image, typed) => {
    vi.stubEnv("APPIMAGE", image);
    vi.stubGlobal("process", { ...process, platform, execPath, versions: { ...process.versions, electron: "38.0.0" } });
    expect(recoveryCommand("--sign-in-off", "people pin NAME", defaultDataDir())).toBe(typed);
  });

  it("uses npm in a checkout, and a command without the desktop program", () => {
    vi.stubEnv("CORVET_PACKAGED", undefined);
    const asTyped = () => recoveryCommand("--sign-in-off", "people pin NAME", "/my data");
    expect(asTyped()).toBe('npx corvet people pin NAME --data-dir "/my data"');
    vi.stubGlobal("process", { ...process, versions: { ...process.versions, electron: "38.0.0" }, defaultApp: true });
    expect(asTyped()).toBe('npm start -- --sign-in-off --data-dir="/my data"');
  });

  it("names a data directory on Windows with single backslashes", () => {
    const versions = { ...process.versions, electron: "38.0.0" };
    vi.stubGlobal("process", { ...process, platform: "win32", execPath: windows, versions });
    const dataDir = String.raw`D:\Praxis Müller`;
    expect(recoveryCommand("--sign-in-off", "people pin NAME", dataDir)).toBe(
      `${windows} --sign-in-off --data-dir="${dataDir}"`,
    );
  });
});
