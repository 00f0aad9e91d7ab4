import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const hasShell = existsSync("/bin/sh");
if (!hasShell) console.info("scripts of the service's package: skipped, no POSIX shell here");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-scripts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script of the package on a machine with systemd. @returns what systemd was asked to do */
function run(script: string, args: readonly string[], { isEnabled }: { readonly isEnabled: boolean }): string[] {
  const said = path.join(folder, "said");
  const command = (name: string, lines: string) => {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(path.join(folder, name), 0o755);
  };
  command("systemctl", `echo "$1" >> "${said}"; [ "$1" != is-enabled ] || exit ${isEnabled ? 0 : 1}`);
  for (const name of ["getent", "adduser", "install", "deluser"]) command(name, "exit 0");
  const text = readFileSync(path.join("build", "service", script), "utf8").replaceAll("/run/systemd/system", folder);
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  execFileSync("/bin/sh", ["-c", text, script, ...args], { env });
  const asked = readFileSync(said, "utf8").trim().split("\n");
  return asked.filter((verb) => !["daemon-reload", "is-enabled"].includes(verb));
}

describe.skipIf(!hasShell)("the service's package", () => {
  it("starts the service when it is installed, from then on with the machine", () => {
    expect(run("postinst", ["configure", ""], { isEnabled: true })).toEqual(["enable", "restart"]);
  });

  it("starts it again with another version, and neither starts nor enables one that was disabled", () => {
    expect(run("prerm", ["upgrade", "1.1.0-1"], { isEnabled: true })).toEqual(["stop"]);
    rmSync(path.join(folder, "said"));
    expect(run("postinst", ["configure", "1.0.0-1"], { isEnabled: true })).toEqual(["restart"]);
    rmSync(path.join(folder, "said"));
    expect(run("postinst", ["configure", "1.0.0-1"], { isEnabled: false })).toEqual([]);
  });

  it("stops it when it is removed, and leaves it enabled for when it comes back", () => {
    expect(run("prerm", ["remove"], { isEnabled: true })).toEqual(["stop"]);
  });
});
